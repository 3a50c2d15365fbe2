import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type ProblemCode, PROBLEMS } from '../../src/platform/errors/problem-codes.js';
import { Parley, type Tenant } from '../support/parley.js';
import { VisitorSocket } from '../support/visitor.js';

describe('concurrency', () => {
  let parley: Parley;
  let other: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    other = await Parley.start({}, parley.databaseUrl);
  });
  afterAll(async () => {
    await other.stop();
    await parley.stop();
  });
  beforeEach(async () => {
    tenant = await parley.createTenant();
  });

  const stored = () =>
    parley.query<{ seq: number; id: string; content: string }>(
      'SELECT seq, id, content FROM messages WHERE chat_id = $1 ORDER BY seq',
      [tenant.chatId],
    );
  const count = async () => (await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200)).body.messageCount;
  const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
  const nodes = () => [tenant.bot, other.bot(tenant.token)];

  it('parallel messages to one chat are numbered without a gap, on two nodes', async () => {
    const sends = upTo(200).map((n) =>
      nodes()
        [n % 2]!.post('/messages', { chatId: tenant.chatId, content: `${n}` })
        .expect(200),
    );
    const ids = (await Promise.all(sends)).map(({ body }) => body.id);
    const rows = await stored();
    expect(rows.map(({ seq }) => seq)).toEqual(upTo(200));
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(ids));
    expect(await count()).toBe(200);
  });

  it('20 parallel posts with one idempotency key create one message, on two nodes', async () => {
    const body = { chatId: tenant.chatId, content: 'once' };
    const posts = upTo(20).map((n) =>
      nodes()[n % 2]!.post('/messages', body).set('Idempotency-Key', 'race').expect(200),
    );
    const answers = await Promise.all(posts);
    expect(new Set(answers.map(({ body: { id } }) => id)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(19);
    expect(await stored()).toHaveLength(1);
    expect(await count()).toBe(1);
  });

  it('one of two bodies that race for a key wins, and the other is rejected', async () => {
    const posts = upTo(20).map((n) =>
      tenant.bot.post('/messages', { chatId: tenant.chatId, content: `${n % 2}` }).set('Idempotency-Key', 'two'),
    );
    const statuses = (await Promise.all(posts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 422)).toHaveLength(10);
    expect(await stored()).toHaveLength(1);
  });

  it('seq has no gap while transfers, messages, closings, and group deletions race', async () => {
    const groups = await Promise.all(
      upTo(4).map(async (n) => (await tenant.admin.post('/groups', { name: `g${n}` }).expect(201)).body.id),
    );
    const visitor = await VisitorSocket.connect(parley.url, tenant.visitorToken);
    const work = upTo(120).map((n) => {
      switch (n % 5) {
        case 0:
          return tenant.bot.post('/transfer', { chatId: tenant.chatId, targetGroupId: groups[n % 4] });
        case 1:
          return visitor
            .ask('message:send', { chatId: tenant.chatId, content: `v${n}` })
            .then(({ ok, error }) => ({ status: ok ? 201 : PROBLEMS[error.code as ProblemCode].status }));
        case 2:
          return tenant.admin.patch(`/chats/${tenant.chatId}`, { status: n % 2 ? 'CLOSED' : 'ACTIVE' });
        default:
          return nodes()[n % 2]!.post('/messages', { chatId: tenant.chatId, content: `b${n}` });
      }
    });
    const deletions = groups.slice(0, 2).map((id) => tenant.admin.delete(`/groups/${id}`));
    const statuses = (await Promise.all([...work, ...deletions])).map(({ status }) => status);
    expect(statuses.filter((status) => ![200, 201, 204, 404, 409, 503].includes(status))).toEqual([]);
    // Both counts in one snapshot: a message that was answered 503 may be stored later.
    const [now] = await parley.query<{ seqs: number[]; count: number }>(
      `SELECT c.message_count AS count, ARRAY(
         SELECT m.seq FROM messages m WHERE m.organization_id = $1 AND m.chat_id = c.id ORDER BY m.seq) AS seqs
       FROM chats c WHERE c.organization_id = $1 AND c.id = $2`,
      [tenant.id, tenant.chatId],
    );
    expect(now!.seqs).toEqual(upTo(now!.count));
    visitor.close();
  });

  it("a message that the database rejects doesn't affect its batch", async () => {
    await parley.query(`ALTER TABLE messages ADD CONSTRAINT no_poison CHECK (content <> 'poison')`);
    const { body: second } = await tenant.admin.post('/chats', {}).expect(201);
    const sends = upTo(128).map((n) => {
      const chatId = n % 2 ? tenant.chatId : second.id;
      return tenant.bot.post('/messages', { chatId, content: n === 70 ? 'poison' : `${n}` });
    });
    const statuses = (await Promise.all(sends)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(127);
    expect(statuses[69]).toBe(500);
    expect((await stored()).map(({ seq }) => seq)).toEqual(upTo(64));
    expect((await tenant.bot.get(`/chats/${second.id}`)).body.messageCount).toBe(63);
    await parley.query('ALTER TABLE messages DROP CONSTRAINT no_poison');
  });

  it('one burst distinguishes unknown chats from known ones, and reopens closed ones', async () => {
    const { body: closed } = await tenant.admin.post('/chats', {}).expect(201);
    await tenant.admin.patch(`/chats/${closed.id}`, { status: 'CLOSED' }).expect(200);
    const chatIds = upTo(60).map((n) => [tenant.chatId, closed.id, `cht_none${n}`][n % 3]!);
    const answers = await Promise.all(chatIds.map((chatId) => tenant.bot.post('/messages', { chatId, content: 'x' })));
    expect(answers.map(({ status }) => status)).toEqual(chatIds.map((id) => (id.startsWith('cht_none') ? 404 : 200)));
    const { body } = await tenant.bot.get(`/chats/${closed.id}`).expect(200);
    // The messages, and the lines of closing and reopening.
    const messageCount = 20 + 2;
    expect(body).toMatchObject({ status: 'ACTIVE', messageCount, lastMessageAt: body.messages.at(-1).createdAt });
    expect(body.firstResponseAt).not.toBeNull();
  });

  it('simultaneous changes, deletions, and openings of the same resources all finish', async () => {
    for (let round = 0; round < 5; round++) {
      const doomed = await parley.createTenant();
      const { body: group } = await doomed.admin.post('/groups', { name: 'g' }).expect(201);
      const { body: agent } = await doomed.admin
        .post('/agents', { name: 'a', email: 'a@example.com', groupIds: [group.id] })
        .expect(201);
      const sessions = await Promise.all(
        upTo(4).map(() => parley.visitor().post('/sessions', { widgetKey: doomed.widgetKey })),
      );
      const openings = () =>
        sessions.map(({ body: { token } }) =>
          parley
            .visitor(token)
            .post('/chats', {})
            .then(({ status }) => status),
        );
      const change = doomed.admin.patch(`/agents/${agent.id}`, { groupIds: [group.id] }).then(({ status }) => status);
      const deletion = doomed.admin.delete(`/groups/${group.id}`).then(({ status }) => status);
      expect([
        [200, 204],
        [400, 204],
      ]).toContainEqual(await Promise.all([change, deletion]));
      const answers = await Promise.all([
        ...openings(),
        parley.admin.delete(`/${doomed.id}`).then(({ status }) => status),
      ]);
      expect(answers.filter((status) => ![201, 204, 401, 404].includes(status))).toEqual([]);
      expect(answers.at(-1)).toBe(204);
    }
  });

  it('the default group is always found while it moves', async () => {
    const { body: other } = await tenant.admin.post('/groups', { name: 'other' }).expect(201);
    const [general] = (await tenant.bot.get('/groups')).body.filter(
      ({ isDefault }: { isDefault: boolean }) => isDefault,
    );
    let isMoving = true;
    const mover = (async () => {
      for (let turn = 0; isMoving; turn++) {
        const id = turn % 2 ? general.id : other.id;
        await tenant.admin.patch(`/groups/${id}`, { isDefault: true }).expect(200);
      }
    })();
    for (let round = 0; round < 60; round++) {
      const { body: chat } = await tenant.admin.post('/chats', {}).expect(201);
      await tenant.bot.post('/transfer', { chatId: chat.id }).expect(200);
    }
    isMoving = false;
    await mover;
  });

  it("a locked chat doesn't delay the others, and loses no message", async () => {
    const { body: held } = await tenant.admin.post('/chats', {}).expect(201);
    const holder = new pg.Client(parley.databaseUrl);
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM chats WHERE organization_id = $1 AND id = $2 FOR UPDATE', [tenant.id, held.id]);
    let isHeld = true;
    const waiting = tenant.bot
      .post('/messages', { chatId: held.id, content: 'late' })
      .then((answer) => ({ answer, isHeld }));
    await Promise.all(
      upTo(50).map(() => tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'x' }).expect(200)),
    );
    isHeld = false;
    await holder.query('COMMIT');
    await holder.end();
    const late = await waiting;
    expect([late.answer.status, late.isHeld]).toEqual([200, false]);
  });
});
