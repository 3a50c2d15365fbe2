import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InboxService } from '../../src/inbox/views/inbox.service.js';
import type { Client } from '../support/client.js';
import { at, makeChat, setChat } from '../support/inbox.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';

const VIEWS = ['MINE', 'SNOOZED', 'WAITING', 'BOT', 'OPEN', 'CLOSED'];

describe("agents' views", () => {
  let parley: Parley;
  let tenant: Tenant;
  let sales: string;
  let support: string;
  let ada: SignedInAgent;
  let bob: SignedInAgent;
  let sue: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    sales = (await tenant.admin.post('/groups', { name: 'Sales' }).expect(201)).body.id;
    support = (await tenant.admin.post('/groups', { name: 'Support' }).expect(201)).body.id;
    ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds: [sales] });
    bob = await parley.signInAgent(tenant, { name: 'Bob', groupIds: [support] });
    sue = await parley.signInAgent(tenant, { name: 'Sue', role: 'SUPERVISOR' });
    // The chat that each tenant starts with is in no view of this suite.
    await setChat(parley, tenant.chatId, { status: 'CLOSED', status_changed_at: at(0), created_at: at(0) });
  });
  afterAll(() => parley.stop());

  const view = async ({ client }: { client: Client }, query: string) =>
    (await client.get(`/chats?${query}`).expect(200)).body as { chats: any[]; nextCursor: string | null };
  const ids = async (agent: SignedInAgent, query: string) => (await view(agent, query)).chats.map(({ id }) => id);
  const remove = (...chatIds: string[]) => parley.query('DELETE FROM chats WHERE id = ANY ($1)', [chatIds]);
  const waiting = (group_id: string, minute: number) =>
    makeChat(parley, tenant, { status: 'QUEUED', group_id, queued_at: at(minute), created_at: at(minute) });
  const having = (agent: SignedInAgent, group_id: string, minute: number) =>
    makeChat(parley, tenant, {
      status: 'ACTIVE',
      group_id,
      agent_id: agent.id,
      last_agent_id: agent.id,
      created_at: at(minute),
      last_message_at: null,
    });

  it('a row has everything that a list shows', async () => {
    const { body: bot } = await tenant.admin.post('/chats', { visitor: { name: 'Vera', email: 'v@example.com' } });
    const content = 'é'.repeat(299) + '😀 and more';
    const { body: sent } = await tenant.bot.post('/messages', { chatId: bot.id, content }).expect(200);
    await setChat(parley, bot.id, {
      group_id: sales,
      queued_at: at(3),
      waiting_since: at(2),
      last_visitor_seq: 1,
      last_agent_id: bob.id,
    });
    const { body: handed } = await tenant.bot.get(`/chats/${bot.id}`).expect(200);
    // An offer stays only while its group creates them, the agent is online, and its time isn't over.
    await tenant.admin.patch(`/groups/${sales}`, { routing: 'OFFER' }).expect(200);
    await parley.connectAgent(ada.token);
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    // In one statement, so that routing finds no waiting chat to offer.
    await parley.query(
      `WITH queued AS (UPDATE chats SET status = 'QUEUED' WHERE id = $2)
       INSERT INTO chat_offers (organization_id, id, chat_id, handoff_id, agent_id, created_at, expires_at)
       VALUES ($1, 'off_1', $2, 'hof_1', $3, now(), $4)`,
      [tenant.id, bot.id, ada.id, expiresAt],
    );
    const { chats } = await view(ada, 'view=WAITING');
    expect(chats).toEqual([
      {
        id: bot.id,
        status: 'QUEUED',
        owner: 'QUEUE',
        channel: 'WIDGET',
        group: { id: sales, name: 'Sales' },
        assignedTo: null,
        lastAgent: { id: bob.id, name: 'Bob' },
        visitor: { id: bot.visitor.id, name: 'Vera', email: 'v@example.com', isVerified: false },
        lastMessage: {
          id: sent.id,
          seq: 1,
          type: 'TEXT',
          content: 'é'.repeat(299) + '😀',
          sender: { type: 'BOT', id: tenant.botId, name: 'Bot', isAi: true },
          metadata: null,
          createdAt: handed.lastMessageAt,
        },
        lastWords: null,
        messageCount: 1,
        isUnread: true,
        read: { visitor: 0, organization: 0, agents: 0 },
        waitingSince: at(2),
        botSilentSince: null,
        queuedAt: at(3),
        createdAt: handed.createdAt,
        lastMessageAt: handed.lastMessageAt,
        closedAt: null,
        rev: expect.any(Number),
        score: null,
        tags: [],
        mailsToCheck: 0,
        offer: { agentId: ada.id, expiresAt },
        snooze: null,
      },
    ]);
    await tenant.admin.patch(`/groups/${sales}`, { routing: 'MANUAL' }).expect(200);
    await remove(bot.id);
  });

  it("a waiting chat's row has what the visitor wrote last, and not the system message of its transfer", async () => {
    const { id, visitorToken } = (await tenant.admin.post('/chats', { groupId: sales }).expect(201)).body;
    const lastMessage = async () => (await sue.client.get(`/chats/${id}`).expect(200)).body.lastMessage;
    const transfer = () => tenant.bot.post('/transfer', { chatId: id, targetGroupId: sales }).expect(200);
    await transfer();
    expect(await lastMessage()).toMatchObject({ sender: { type: 'SYSTEM' }, metadata: { event: 'chat.transferred' } });
    await parley.visitor(visitorToken).post(`/chats/${id}/messages`, { content: 'My parcel is broken' }).expect(201);
    await tenant.bot.post('/messages', { chatId: id, content: 'A colleague helps you' }).expect(200);
    const { chats } = await view(ada, 'view=WAITING');
    expect(chats).toMatchObject([{ id, lastMessage: { content: 'My parcel is broken', sender: { type: 'VISITOR' } } }]);
    await ada.client.post(`/chats/${id}/claim`, {}).expect(200);
    expect(await lastMessage()).toMatchObject({ metadata: { event: 'chat.assigned' } });
    const { lastWords } = (await sue.client.get(`/chats/${id}`).expect(200)).body;
    expect(lastWords).toMatchObject({ content: 'A colleague helps you', sender: { type: 'BOT' }, metadata: null });
    await remove(id);
  });

  it('WAITING lists chats of the agent’s groups, or of all for a supervisor, the longest wait first', async () => {
    const second = await waiting(sales, 2);
    const first = await waiting(sales, 1);
    const other = await waiting(support, 3);
    expect(await ids(ada, 'view=WAITING')).toEqual([first, second]);
    expect(await ids(bob, 'view=WAITING')).toEqual([other]);
    expect(await ids(sue, 'view=WAITING')).toEqual([first, second, other]);
    await remove(first, second, other);
  });

  it("MINE lists the agent's chats of all groups, the latest activity first, and is the default view", async () => {
    const quiet = await having(ada, sales, 1);
    const recent = await having(ada, support, 2);
    const busy = await having(ada, sales, 0);
    await setChat(parley, busy, { last_message_at: at(9) });
    const bobs = await having(bob, sales, 3);
    expect(await ids(ada, '')).toEqual([busy, recent, quiet]);
    expect(await ids(bob, 'view=MINE')).toEqual([bobs]);
    expect(await ids(sue, 'view=MINE')).toEqual([]);
    const [row] = (await view(ada, 'view=MINE&limit=1')).chats;
    expect(row).toMatchObject({ owner: 'AGENT', assignedTo: { id: ada.id, name: 'Ada' }, queuedAt: null });
    await remove(quiet, recent, busy, bobs);
  });

  it('BOT and OPEN list the newest first, and OPEN has the agent’s own chats of other groups too', async () => {
    const bot = await makeChat(parley, tenant, { group_id: sales, created_at: at(1) });
    const newer = await makeChat(parley, tenant, { group_id: sales, created_at: at(5) });
    const elsewhere = await makeChat(parley, tenant, { group_id: support, created_at: at(2) });
    const queued = await waiting(sales, 3);
    const own = await having(ada, support, 4);
    const bobs = await having(bob, sales, 6);
    expect(await ids(ada, 'view=BOT')).toEqual([newer, bot]);
    expect(await ids(sue, 'view=BOT')).toEqual([newer, elsewhere, bot]);
    expect(await ids(ada, 'view=OPEN')).toEqual([bobs, newer, own, queued, bot]);
    expect(await ids(sue, 'view=OPEN')).toEqual([bobs, newer, own, queued, elsewhere, bot]);
    expect((await view(ada, 'view=BOT')).chats[0]).toMatchObject({ owner: 'BOT', assignedTo: null });
    await remove(bot, newer, elsewhere, queued, own, bobs);
  });

  it('a message moves its chat to the beginning of BOT and OPEN, however old the chat is', async () => {
    const old = await makeChat(parley, tenant, { group_id: sales, created_at: at(0) });
    const young = await makeChat(parley, tenant, { group_id: sales, created_at: new Date().toISOString() });
    const elsewhere = await makeChat(parley, tenant, { group_id: support, created_at: at(1) });
    expect(await ids(sue, 'view=BOT')).toEqual([young, elsewhere, old]);
    for (const chatId of [young, elsewhere, old, elsewhere]) {
      await tenant.bot.post('/messages', { chatId, content: 'hello' }).expect(200);
    }
    for (const name of ['BOT', 'OPEN']) {
      expect([name, await ids(sue, `view=${name}`)]).toEqual([name, [elsewhere, old, young]]);
      const first = await view(sue, `view=${name}&limit=1`);
      const rest = await ids(sue, `view=${name}&limit=2&cursor=${first.nextCursor}`);
      expect([name, first.chats[0].id, rest]).toEqual([name, elsewhere, [old, young]]);
      expect([name, await ids(ada, `view=${name}`)]).toEqual([name, [old, young]]);
    }
    await remove(old, young, elsewhere);
  });

  it('OPEN and CLOSED can be filtered by an agent, among the chats that the viewer sees', async () => {
    const [inSales, inSupport] = [await having(bob, sales, 1), await having(bob, support, 2)];
    const own = await having(ada, support, 3);
    const ended = (agent: SignedInAgent, group_id: string, minute: number) =>
      makeChat(parley, tenant, {
        status: 'CLOSED',
        group_id,
        last_agent_id: agent.id,
        status_changed_at: at(minute),
      });
    const [endedHere, endedThere] = [await ended(bob, sales, 4), await ended(bob, support, 5)];
    const byAda = await ended(ada, sales, 6);
    expect(await ids(sue, `view=OPEN&agentId=${bob.id}`)).toEqual([inSupport, inSales]);
    expect(await ids(ada, `view=OPEN&agentId=${bob.id}`)).toEqual([inSales]);
    expect(await ids(ada, `view=OPEN&agentId=${ada.id}`)).toEqual([own]);
    expect(await ids(sue, `view=OPEN&agentId=${bob.id}&groupId=${sales}`)).toEqual([inSales]);
    expect(await ids(sue, `view=CLOSED&agentId=${bob.id}`)).toEqual([endedThere, endedHere]);
    expect(await ids(ada, `view=CLOSED&agentId=${bob.id}`)).toEqual([endedHere]);
    expect(await ids(sue, 'view=CLOSED&agentId=agt_none')).toEqual([]);
    const page = await view(sue, `view=CLOSED&agentId=${bob.id}&limit=1`);
    expect(await ids(sue, `view=CLOSED&agentId=${bob.id}&cursor=${page.nextCursor}`)).toEqual([endedHere]);
    await remove(inSales, inSupport, own, endedHere, endedThere, byAda);
  });

  it("unanswered chats of one's own, and of one agent, can be listed", async () => {
    const [waits, answered] = [await having(ada, sales, 1), await having(ada, sales, 2)];
    await setChat(parley, waits, { waiting_since: at(3) });
    expect(await ids(ada, 'unanswered=true')).toEqual([waits]);
    expect(await ids(sue, `view=OPEN&agentId=${ada.id}&unanswered=true`)).toEqual([waits]);
    expect(await ids(sue, 'unanswered=true')).toEqual([]);
    await remove(waits, answered);
  });

  it('CLOSED lists the last closed first, and archived ones too', async () => {
    const ended = (status: string, group_id: string, minute: number) =>
      makeChat(parley, tenant, { status, group_id, status_changed_at: at(minute), last_agent_id: ada.id });
    const first = await ended('CLOSED', sales, 1);
    const archived = await ended('ARCHIVED', sales, 3);
    const other = await ended('CLOSED', support, 2);
    expect(await ids(ada, 'view=CLOSED')).toEqual([archived, first]);
    expect(await ids(sue, 'view=CLOSED')).toEqual([archived, other, first, tenant.chatId]);
    const [row] = (await view(ada, 'view=CLOSED')).chats;
    expect(row).toMatchObject({
      owner: 'NOBODY',
      status: 'ARCHIVED',
      closedAt: at(3),
      assignedTo: null,
      lastAgent: { id: ada.id, name: 'Ada' },
    });
    await remove(first, archived, other);
  });

  it('paging through each view has no gap and no repetition, even when times are equal', async () => {
    const made: Record<string, string[]> = { MINE: [], SNOOZED: [], WAITING: [], BOT: [], OPEN: [], CLOSED: [] };
    for (let number = 0; number < 6; number++) {
      const minute = number >> 1;
      const group = number % 3 === 0 ? support : sales;
      made.MINE!.push(await having(sue, group, minute));
      made.WAITING!.push(await waiting(group, minute));
      made.BOT!.push(await makeChat(parley, tenant, { group_id: group, created_at: at(minute) }));
      const ended = { status: 'CLOSED', group_id: group, status_changed_at: at(minute) };
      made.CLOSED!.push(await makeChat(parley, tenant, ended));
    }
    made.OPEN = [...made.MINE!, ...made.WAITING!, ...made.BOT!];
    made.CLOSED!.push(tenant.chatId);
    for (const name of VIEWS) {
      const whole = await view(sue, `view=${name}`);
      expect(whole.nextCursor).toBeNull();
      const seen: string[] = [];
      let cursor: string | null = '';
      for (let pages = 0; cursor !== null && pages < 20; pages++) {
        const page: { chats: any[]; nextCursor: string | null } = await view(
          sue,
          `view=${name}&limit=4${cursor && `&cursor=${cursor}`}`,
        );
        seen.push(...page.chats.map(({ id }) => id));
        cursor = page.nextCursor;
      }
      expect([name, seen]).toEqual([name, whole.chats.map(({ id }) => id)]);
      expect([name, seen.toSorted()]).toEqual([name, made[name]!.toSorted()]);
    }
    await remove(...made.OPEN, ...made.CLOSED!.slice(0, -1));
  });

  it('each view can be filtered by a group that the agent sees, and any other group is 404', async () => {
    const mine = await having(ada, sales, 1);
    const theirs = await having(ada, support, 2);
    expect(await ids(ada, `view=MINE&groupId=${sales}`)).toEqual([mine]);
    expect(await ids(sue, `view=OPEN&groupId=${support}`)).toEqual([theirs]);
    expect(await ids(sue, `view=OPEN&groupId=${sales}`)).toEqual([mine]);
    for (const name of VIEWS) {
      expect((await ada.client.get(`/chats?view=${name}&groupId=${support}`).expect(404)).body.detail).toBe(
        'Group not found',
      );
      await sue.client.get(`/chats?view=${name}&groupId=none`).expect(404);
      await sue.client.get(`/chats?view=${name}&groupId=${support}`).expect(200);
    }
    await remove(mine, theirs);
  });

  it('a list and a session that did not change are not sent again', async () => {
    const chat = await having(ada, sales, 1);
    for (const path of ['/chats', '/session']) {
      const { headers } = await ada.client.get(path).expect(200);
      const { text } = await ada.client.get(path).set('If-None-Match', headers.etag!).expect(304);
      expect([path, text]).toEqual([path, '']);
      await ada.client.get(path).set('If-None-Match', '"other"').expect(200);
    }
    const { headers } = await ada.client.get('/chats').expect(200);
    await setChat(parley, chat, { waiting_since: at(3) });
    const { body } = await ada.client.get('/chats').set('If-None-Match', headers.etag!).expect(200);
    expect(body.chats[0].waitingSince).toBe(at(3));
    await remove(chat);
  });

  it("a problem names what's wrong with the query", async () => {
    const idCursor = Buffer.from(tenant.chatId).toString('base64url');
    const farCursor = Buffer.from(`2026-13-45T08:30:00.000Z${tenant.chatId}`).toString('base64url');
    for (const [query, pointer] of [
      ['view=ALL', '?view'],
      ['view=mine', '?view'],
      ['limit=0', '?limit'],
      ['limit=101', '?limit'],
      ['limit=ten', '?limit'],
      [`groupId=${'x'.repeat(65)}`, '?groupId'],
      [`agentId=${'x'.repeat(65)}&view=OPEN`, '?agentId'],
      [`agentId=${ada.id}`, '?agentId'],
      [`view=WAITING&agentId=${ada.id}`, '?agentId'],
      ['unanswered=false', '?unanswered'],
      ['view=OPEN&unanswered=true', '?unanswered'],
      [`view=CLOSED&agentId=${ada.id}&unanswered=true`, '?unanswered'],
      ['cursor=nonsense', '?cursor'],
      [`cursor=${idCursor}`, '?cursor'],
      [`cursor=${farCursor}`, '?cursor'],
      ['cursor=a&cursor=b', '?cursor'],
    ]) {
      const { body } = await ada.client.get(`/chats?${query}`).expect(400);
      expect([query, body.code, body.errors[0].pointer]).toEqual([query, 'validation_failed', pointer]);
    }
    await ada.client.get('/chats?limit=100').expect(200);
  });

  it("the counts of the agent's views go up to 999", async () => {
    const unread = await having(ada, sales, 1);
    await setChat(parley, unread, { message_count: 3, last_visitor_seq: 3 });
    const made = [unread, await having(ada, support, 2), await waiting(sales, 3), await waiting(support, 4)];
    made.push(await makeChat(parley, tenant, { group_id: sales }));
    const count = async ({ client }: SignedInAgent) => (await client.get('/chats/counts').expect(200)).body;
    expect(await count(ada)).toEqual({ mine: 2, mineUnread: 1, snoozed: 0, waiting: 1, bot: 1, mentions: 0 });
    expect(await count(sue)).toEqual({ mine: 0, mineUnread: 0, snoozed: 0, waiting: 2, bot: 1, mentions: 0 });
    await parley.query(
      `INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, queued_at, created_at)
       SELECT $1, 'cht_x' || n, $2, $3, 'QUEUED', now(), now(), now() FROM generate_series(1, 1200) AS n`,
      [tenant.id, tenant.visitorId, sales],
    );
    expect(await count(ada)).toEqual({ mine: 2, mineUnread: 1, snoozed: 0, waiting: 999, bot: 1, mentions: 0 });
    await parley.query(`DELETE FROM chats WHERE id LIKE 'cht_x%'`);
    await remove(...made);
  });

  it('a chat of an erased visitor is in no view, and no one is notified', async () => {
    const { body: chat } = await tenant.admin.post('/chats', {}).expect(201);
    await setChat(parley, chat.id, { group_id: sales });
    expect(await ids(ada, 'view=BOT')).toEqual([chat.id]);
    await tenant.admin.delete(`/visitors/${chat.visitor.id}`).expect(204);
    for (const name of VIEWS) expect(await ids(sue, `view=${name}`)).not.toContain(chat.id);
    await sue.client.get(`/chats/${chat.id}`).expect(404);
    const inbox = parley.app.get(InboxService);
    expect(await inbox.findRows(tenant.id, [chat.id])).toEqual([]);
    expect(await inbox.findWhoMaySee(tenant.id, [chat.id], [ada.id, sue.id])).toEqual(new Map([[chat.id, new Set()]]));
  });

  // The socket namespace sends rows by these two.
  it('the service returns the rows of chats, and which agents may see each', async () => {
    const [own, theirs] = [await having(ada, support, 1), await waiting(sales, 2)];
    const inbox = parley.app.get(InboxService);
    const rows = await inbox.findRows(tenant.id, [theirs, own, 'cht_none']);
    expect(rows).toEqual([(await view(ada, 'view=WAITING')).chats[0], (await view(ada, 'view=MINE')).chats[0]]);
    const everyone = [ada.id, bob.id, sue.id];
    const seen = await inbox.findWhoMaySee(tenant.id, [own, theirs], everyone);
    expect(seen.get(own)).toEqual(new Set(everyone));
    expect(seen.get(theirs)).toEqual(new Set([ada.id, sue.id]));
    const stranger = await parley.createTenant();
    expect(await inbox.findRows(stranger.id, [own])).toEqual([]);
    expect((await inbox.findWhoMaySee(stranger.id, [own], everyone)).get(own)).toEqual(new Set());
    await remove(own, theirs);
  });
});
