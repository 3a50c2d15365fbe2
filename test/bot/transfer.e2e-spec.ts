import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Parley, type Tenant } from '../support/parley.js';
import { VisitorSocket } from '../support/visitor.js';

describe('POST /api/bot/transfer', () => {
  let parley: Parley;
  let tenant: Tenant;
  let support: { id: string };
  let general: { id: string };

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    support = (await tenant.admin.post('/groups', { name: 'Support' }).expect(201)).body;
    general = (await tenant.bot.get('/groups').expect(200)).body.find(
      ({ isDefault }: { isDefault: boolean }) => isDefault,
    );
  });

  const transfer = (body: object = {}) => tenant.bot.post('/transfer', { chatId: tenant.chatId, ...body });
  const chat = async () => (await tenant.admin.get(`/chats/${tenant.chatId}`).expect(200)).body;

  it('a transfer queues the chat for the group, with a message and the events for its visitor', async () => {
    const visitor = await VisitorSocket.connect(parley.url, tenant.visitorToken);
    await visitor.ask('chat:open', { chatId: tenant.chatId });
    const { body } = await transfer({ targetGroupId: support.id, reason: 'refund' }).expect(200);
    const { handoff, ...given } = body;
    expect(given).toEqual({ chatId: tenant.chatId, newStatus: 'QUEUED', assignedTo: null, groupId: support.id });
    expect(handoff).toMatchObject({ availability: 'OFFLINE', position: 1, estimatedWaitSeconds: null });
    const message = await visitor.next('message');
    expect(message).toMatchObject({
      seq: 1,
      type: 'TEXT',
      content: 'Chat transferred by bot',
      sender: { type: 'SYSTEM', id: null, name: null },
      metadata: { event: 'chat.transferred', groupId: support.id, groupName: 'Support', reason: 'refund' },
    });
    expect(await visitor.next('chat')).toMatchObject({
      id: tenant.chatId,
      status: 'QUEUED',
      group: { id: support.id, name: 'Support' },
      assignedTo: null,
    });
    expect(await chat()).toMatchObject({
      status: 'QUEUED',
      group: support && { id: support.id },
      messageCount: 1,
      firstResponseAt: null,
      assignedTo: null,
      lastMessageAt: message.createdAt,
    });
    visitor.close();
  });

  it('a transfer without a target goes to the default group, and mentions no reason when none was given', async () => {
    expect((await transfer({ targetGroupId: null, reason: null }).expect(200)).body.groupId).toBe(general.id);
    expect((await chat()).messages[0].metadata).toEqual({
      event: 'chat.transferred',
      groupId: general.id,
      groupName: 'General',
    });
  });

  it('a transfer changes nothing when the chat waits in that group already, and moves it from another', async () => {
    await transfer({ targetGroupId: support.id }).expect(200);
    const before = await chat();
    expect((await transfer({ targetGroupId: support.id }).expect(200)).body).toMatchObject({
      newStatus: 'QUEUED',
      groupId: support.id,
    });
    expect(await chat()).toEqual(before);
    await transfer({ targetGroupId: general.id }).expect(200);
    expect(await chat()).toMatchObject({ messageCount: 2, group: { id: general.id } });
  });

  it.each(['CLOSED', 'ARCHIVED'])('a transfer is answered 409 for a chat that is %s', async (status) => {
    await tenant.admin.patch(`/chats/${tenant.chatId}`, { status }).expect(200);
    expect((await transfer().set('Idempotency-Key', `k-${status}`).expect(409)).body.code).toBe('conflict');
    await tenant.admin.patch(`/chats/${tenant.chatId}`, { status: 'ACTIVE' }).expect(200);
    await transfer().set('Idempotency-Key', `k-${status}`).expect(200);
  });

  it('an unknown chat or group is answered 404 before other errors', async () => {
    await transfer({ chatId: 'cht_none' }).expect(404);
    await transfer({ targetGroupId: 'grp_none' }).expect(404);
    await tenant.admin.patch(`/chats/${tenant.chatId}`, { status: 'CLOSED' }).expect(200);
    await transfer({ targetGroupId: 'grp_none' }).expect(404);
  });

  it.each([
    ['chatId', { chatId: '' }, '/chatId'],
    ['chatId of 65', { chatId: 'x'.repeat(65) }, '/chatId'],
    ['targetGroupId', { targetGroupId: 5 }, '/targetGroupId'],
    ['targetGroupId of 65', { targetGroupId: 'x'.repeat(65) }, '/targetGroupId'],
    ['reason of 501', { reason: 'x'.repeat(501) }, '/reason'],
  ])('a transfer with a bad %s is rejected', async (_name, body, pointer) => {
    expect((await transfer(body).expect(400)).body.errors).toMatchObject([{ pointer }]);
  });

  it('a reason of 500 characters is accepted', async () => {
    const reason = '😀'.repeat(500);
    await transfer({ reason }).expect(200);
    expect((await chat()).messages[0].metadata.reason).toBe(reason);
  });

  it('a transfer runs once per Idempotency-Key, even when 20 race', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => transfer({ targetGroupId: support.id }).set('Idempotency-Key', 'once')),
    );
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(19);
    expect((await chat()).messageCount).toBe(1);
    await transfer({ targetGroupId: general.id }).set('Idempotency-Key', 'once').expect(422);
  });
});

describe('GET /api/bot/groups', () => {
  let parley: Parley;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());

  it('the list of groups is sorted by name, with exactly the documented fields and the number of agents', async () => {
    const tenant = await parley.createTenant();
    const groups: { id: string; name: string }[] = [];
    for (const name of ['Zoo', 'Support', 'apple', 'Ärzte']) {
      groups.push((await tenant.admin.post('/groups', { name }).expect(201)).body);
    }
    for (const [index, groupIds] of [[groups[0]!.id], [groups[0]!.id, groups[1]!.id], []].entries()) {
      await tenant.admin.post('/agents', { name: 'A', email: `a${index}@example.com`, groupIds }).expect(201);
    }
    const { body } = await tenant.bot.get('/groups').expect(200);
    expect(body).toEqual([
      { id: expect.any(String), name: 'General', agentCount: 0, isDefault: true },
      { id: groups[1]!.id, name: 'Support', agentCount: 1, isDefault: false },
      { id: groups[0]!.id, name: 'Zoo', agentCount: 2, isDefault: false },
      { id: groups[2]!.id, name: 'apple', agentCount: 0, isDefault: false },
      { id: groups[3]!.id, name: 'Ärzte', agentCount: 0, isDefault: false },
    ]);
  });
});
