import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '../../src/platform/database/migrate.js';
import { eventually } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { type Received, Receiver } from '../support/receiver.js';
import { CitusLab } from './support/lab.js';

interface Office {
  tenant: Tenant;
  ada: SignedInAgent;
}

describe('a Citus cluster while one of its workers is down', () => {
  let lab: CitusLab;
  let parley: Parley;
  let receiver: Receiver;
  let living: Office;
  let lost: Office;

  beforeAll(async () => {
    lab = await CitusLab.start(2);
    await migrate(lab.url);
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' }, lab.url);
    receiver = await Receiver.start();
    living = await open();
    const home = await lab.workerOf(living.tenant.id);
    do lost = await open();
    while ((await lab.workerOf(lost.tenant.id)) === home);
    await (await lab.workerOf(lost.tenant.id)).kill();
  });
  afterAll(async () => {
    await parley?.stop();
    await receiver?.close();
    await lab?.stop();
  });

  /** An organization with an agent and a webhook. */
  const open = async (): Promise<Office> => {
    const tenant = await parley.createTenant();
    const { body: groups } = await tenant.bot.get('/groups').expect(200);
    const ada = await parley.signInAgent(tenant, { groupIds: [groups[0].id] });
    await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
    return { tenant, ada };
  };
  const eventsOf =
    ({ tenant }: Office, type: string) =>
    (received: Received[]) =>
      received.some(({ event }) => event.type === type && event.organizationId === tenant.id);

  it("agents' requests are answered by organization, even if they arrive together", async () => {
    const { tenant, ada } = living;
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'hello' }).expect(200);
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(
        [living, lost, living, lost].map((office) => office.ada.client.get('/session')),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 503, 200, 503]);
    }
    await tenant.bot.post('/transfer', { chatId: tenant.chatId }).expect(200);
    await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
    await ada.client.post(`/chats/${tenant.chatId}/release`, {}).expect(200);
  });

  it('time limits of the other organizations end, and their webhooks get the events', async () => {
    const { tenant } = living;
    await tenant.bot.post('/transfer', { chatId: tenant.chatId, maxWaitSeconds: 600 }).expect(200);
    await parley.query(`UPDATE handoffs SET due_at = now() WHERE organization_id = $1 AND ended_at IS NULL`, [
      tenant.id,
    ]);
    await receiver.until(eventsOf(living, 'chat.unanswered'));
  });

  it('a visitor begins a chat, and writes', async () => {
    const { tenant } = living;
    const { body: session } = await parley.beginSession(tenant).expect(201);
    const visitor = parley.visitor(session.token);
    const { body } = await visitor.post('/chats', {}).expect(201);
    await visitor.post(`/chats/${body.chat.id}/messages`, { content: 'hello', clientMessageId: 'one' }).expect(201);
  });

  it('a chat of an agent who was disabled waits again', async () => {
    const { tenant, ada } = living;
    await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
    // Nothing announces this change, so only the sweep finds it.
    await parley.query(`UPDATE agents SET is_enabled = false WHERE organization_id = $1`, [tenant.id]);
    const owner = async () => (await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200)).body.owner;
    await eventually(owner, (found) => found === 'QUEUE');
  });

  it('its organizations continue when it accepts connections again', async () => {
    const { tenant, ada } = lost;
    await (await lab.workerOf(tenant.id)).restart();
    await eventually(
      () => ada.client.get('/session'),
      ({ status }) => status === 200,
    );
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'hello' }).expect(200);
    await receiver.until(eventsOf(lost, 'message.created'));
  });
});
