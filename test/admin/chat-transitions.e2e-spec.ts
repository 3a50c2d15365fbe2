import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EntityManager } from 'typeorm';
import { systemContext } from '../../src/auth/context/request-context.js';
import { ChatTransitions } from '../../src/chats/moves/chat-transitions.service.js';
import { transaction } from '../../src/platform/database/transaction.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { VisitorSocket } from '../support/visitor.js';

describe('chat transitions', () => {
  let parley: Parley;
  let tenant: Tenant;
  let agent: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    agent = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
  });

  const chat = async () => (await tenant.admin.get(`/chats/${tenant.chatId}`).expect(200)).body;
  const setStatus = (status: string) => tenant.admin.patch(`/chats/${tenant.chatId}`, { status });
  const assign = () => agent.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);

  it('a transition whose transaction fails emits no event', async () => {
    const visitor = await VisitorSocket.connect(parley.url, tenant.visitorToken);
    await visitor.ask('chat:open', { chatId: tenant.chatId });
    const transitions = parley.app.get(ChatTransitions);
    const failing = transaction(parley.app.get(EntityManager), async (tx) => {
      const context = systemContext(tenant.id);
      const locked = await transitions.lock(tx, context, tenant.chatId);
      await transitions.queue(tx, context, locked, { groupId: locked.groupId });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await setStatus('CLOSED').expect(200);
    expect(await visitor.next('chat')).toMatchObject({ status: 'CLOSED' });
    visitor.close();
  });

  it.each(['QUEUED', 'CLOSED', 'ARCHIVED'])('%s takes the chat from its agent', async (status) => {
    await assign();
    await setStatus(status).expect(200);
    expect(await chat()).toMatchObject({ status, assignedTo: null });
  });

  it('ACTIVE leaves the chat with its agent', async () => {
    await assign();
    await setStatus('ACTIVE').expect(200);
    expect(await chat()).toMatchObject({ status: 'ACTIVE', owner: 'AGENT', assignedTo: { id: agent.id } });
  });

  it('a message reopens an ended chat without the agent it had', async () => {
    await assign();
    await setStatus('CLOSED').expect(200);
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'Anything else?' }).expect(200);
    expect(await chat()).toMatchObject({ status: 'ACTIVE', assignedTo: null });
  });

  it('a transfer takes the chat from its agent', async () => {
    await assign();
    await tenant.bot.post('/transfer', { chatId: tenant.chatId }).expect(200);
    expect(await chat()).toMatchObject({ status: 'QUEUED', assignedTo: null });
  });

  it('the database enforces that only an ACTIVE chat has an agent', async () => {
    await assign();
    const close = parley.query(`UPDATE chats SET status = 'CLOSED' WHERE id = $1`, [tenant.chatId]);
    await expect(close).rejects.toThrow('ck_chats_agent');
  });
});
