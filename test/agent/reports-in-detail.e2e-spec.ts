import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseCsv } from '../support/csv.js';
import { setChat } from '../support/inbox.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { ReportData, seconds } from '../support/reports.js';

/** A time whose day depends on the time zone: 23:30 UTC is the next day in Berlin. */
const LATE = '2026-03-28T23:30:00.000Z';
const NOON = '2026-03-28T12:00:00.000Z';
const MARCH_28 = 'from=2026-03-28&to=2026-03-28';

describe('reports by agent, by rating, and by chat', () => {
  let parley: Parley;
  let tenant: Tenant;
  let data: ReportData;
  let sales: string;
  let sue: SignedInAgent;
  let ada: SignedInAgent;
  let ben: SignedInAgent;
  /** Three chats that began at noon: two in Sales, the last one in the default group. */
  let chats: [string, string, string];

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    data = new ReportData(parley, tenant);
    sales = (await tenant.admin.post('/groups', { name: 'Sales' }).expect(201)).body.id;
    ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds: [sales] });
    ben = await parley.signInAgent(tenant, { name: 'Ben' });
    sue = await parley.signInAgent(tenant, { name: 'Sue', role: 'SUPERVISOR' });
    chats = [
      await data.chat(NOON, { group_id: sales, last_agent_id: ada.id }),
      await data.chat(NOON, { group_id: sales, last_agent_id: ada.id }),
      await data.chat(NOON, { last_agent_id: ben.id }),
    ];
    const [first, second, third] = chats;
    await data.stay(first, { began: NOON, agentId: ada.id, assigned: 10, replied: 20 });
    await data.stay(second, { began: NOON, agentId: ada.id, assigned: 10, replied: 60 });
    await data.stay(third, { began: NOON, agentId: ada.id, assigned: 10 });
    await data.stay(third, { began: LATE, agentId: ben.id, assigned: 1, replied: 2 });
    await data.replies(first, ada.id, NOON, seconds(NOON, 1), LATE);
    await data.replies(third, ada.id, NOON);
    await data.replies(third, ben.id, LATE);
    await data.rating(first, 5, NOON, 'Thank you');
    await data.rating(second, 4, seconds(NOON, 1));
    await data.rating(third, 1, LATE, '=1+1');
  });
  afterAll(() => parley.stop());

  const read = async (path: string, agent = sue) => (await agent.client.get(`/reports${path}`).expect(200)).body;

  it('an agent has the chats and messages written, the chats got, the median first reply, and the ratings of a day', async () => {
    const nothing = { chats: 0, replies: 0, assigned: 0, medianFirstReplySeconds: null, rated: 0, averageScore: null };
    const agents = [ada, ben, sue].map(({ id }, at) => ({ id, name: ['Ada', 'Ben', 'Sue'][at], isEnabled: true }));
    expect(await read(`/agents?${MARCH_28}`)).toEqual({
      timeZone: 'UTC',
      nextCursor: null,
      agents: [
        { ...agents[0], chats: 2, replies: 4, assigned: 3, medianFirstReplySeconds: 40, rated: 2, averageScore: 4.5 },
        { ...agents[1], chats: 1, replies: 1, assigned: 1, medianFirstReplySeconds: 2, rated: 1, averageScore: 1 },
        { ...agents[2], ...nothing },
      ],
    });
    const berlin = await read(`/agents?${MARCH_28}&timeZone=Europe/Berlin`);
    expect(berlin.timeZone).toBe('Europe/Berlin');
    expect(berlin.agents).toEqual([
      { ...agents[0], chats: 2, replies: 3, assigned: 3, medianFirstReplySeconds: 40, rated: 2, averageScore: 4.5 },
      { ...agents[1], ...nothing },
      { ...agents[2], ...nothing },
    ]);
    const inSales = await read(`/agents?${MARCH_28}&groupId=${sales}`);
    expect(inSales.agents).toEqual([
      { ...agents[0], chats: 1, replies: 3, assigned: 2, medianFirstReplySeconds: 40, rated: 2, averageScore: 4.5 },
      { ...agents[1], ...nothing },
      { ...agents[2], ...nothing },
    ]);
    const page = await read(`/agents?${MARCH_28}&limit=2`);
    expect(page.agents).toHaveLength(2);
    expect((await read(`/agents?${MARCH_28}&limit=2&cursor=${page.nextCursor}`)).agents).toEqual([
      { ...agents[2], ...nothing },
    ]);
  });

  it('ratings are listed newest first, with their comment, chat, agent, and group', async () => {
    const { ratings, timeZone, nextCursor } = await read(`/ratings?${MARCH_28}`);
    expect([timeZone, nextCursor]).toEqual(['UTC', null]);
    expect(ratings.map(({ chatId }: { chatId: string }) => chatId)).toEqual([chats[2], chats[1], chats[0]]);
    expect(ratings[0]).toEqual({
      chatId: chats[2],
      score: 1,
      comment: '=1+1',
      ratedAt: LATE,
      visitor: { id: expect.any(String), name: 'Vera' },
      agent: { id: ben.id, name: 'Ben' },
      group: { id: expect.any(String), name: 'General' },
    });
    await sue.client.get(`/chats/${chats[2]}`).expect(200);
    const of = async (query: string) =>
      (await read(`/ratings?${MARCH_28}&${query}`)).ratings.map(({ score }: { score: number }) => score);
    expect(await of('timeZone=Europe/Berlin')).toEqual([4, 5]);
    expect(await of('comment=true')).toEqual([1, 5]);
    expect(await of(`agentId=${ada.id}`)).toEqual([4, 5]);
    expect(await of(`groupId=${sales}&comment=true`)).toEqual([5]);
    const first = await read(`/ratings?${MARCH_28}&limit=2`);
    expect(await of(`limit=2&cursor=${first.nextCursor}`)).toEqual([5]);
  });

  it('a filter that few ratings match is answered in pages that may be short, and finds all of them', async () => {
    const other = await parley.createTenant();
    const cleo = await parley.signInAgent(other, { role: 'SUPERVISOR' });
    const own = new ReportData(parley, other);
    const chat = await own.chat('2026-04-01T00:00:00.000Z');
    await own.rating(chat, 2, '2026-04-01T00:00:00.000Z', 'first');
    await parley.query(
      `INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, message_count, created_at)
       SELECT organization_id, 'cht_' || lpad(n::text, 26, '0'), visitor_id, group_id, 'CLOSED', now(), 0, now()
       FROM chats CROSS JOIN generate_series(1, 1100) n WHERE id = $1`,
      [chat],
    );
    await parley.query(
      `INSERT INTO ratings (organization_id, chat_id, score, rated_at)
       SELECT $1, 'cht_' || lpad(n::text, 26, '0'), 3, '2026-04-02' FROM generate_series(1, 1100) n`,
      [other.id],
    );
    const found: string[] = [];
    let cursor: string | null = '';
    let pages = 0;
    do {
      const more: string = cursor ? `&cursor=${cursor}` : '';
      const body: any = await read(`/ratings?from=2026-04-01&to=2026-04-02&comment=true${more}`, cleo);
      found.push(...body.ratings.map(({ comment }: { comment: string }) => comment));
      cursor = body.nextCursor;
      pages++;
    } while (cursor);
    expect([found, pages]).toEqual([['first'], 3]);
    const all: string[] = [];
    for (cursor = ''; cursor !== null;) {
      const more: string = cursor ? `&cursor=${cursor}` : '';
      const body: any = await read(`/ratings?from=2026-04-01&to=2026-04-02${more}`, cleo);
      all.push(...body.ratings.map(({ chatId }: { chatId: string }) => chatId));
      cursor = body.nextCursor;
    }
    expect([all.length, new Set(all).size]).toEqual([1_101, 1_101]);
  });

  it('a chat is one line of CSV, safe to open in a spreadsheet', async () => {
    const [first, , third] = chats;
    await setChat(parley, third, { status: 'CLOSED', status_changed_at: seconds(NOON, 90) });
    await parley.query(`UPDATE chats SET first_response_at = $2 WHERE id = $1`, [first, seconds(NOON, 3)]);
    await parley.query(
      `UPDATE visitors SET name = '@SUM(A1)' FROM chats c
       WHERE c.organization_id = visitors.organization_id AND c.visitor_id = visitors.id AND c.id = $1`,
      [third],
    );
    const asked = await sue.client.get(`/reports/chats/export?${MARCH_28}`).expect(200);
    expect(asked.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(asked.headers['content-disposition']).toBe('attachment; filename="chats-2026-03-28-2026-03-28.csv"');
    const [headings, ...lines] = parseCsv(asked.text);
    const rows = lines.map((line) => Object.fromEntries(line.map((cell, at) => [headings![at], cell])));
    expect(rows.map(({ id }) => id)).toEqual(chats);
    expect(rows[0]).toMatchObject({
      createdAt: NOON,
      closedAt: '',
      status: 'ACTIVE',
      channel: 'WIDGET',
      groupName: 'Sales',
      visitorName: 'Vera',
      agentName: 'Ada',
      firstResponseSeconds: '3',
      queuedAt: NOON,
      outcome: 'ASSIGNED',
      isUnanswered: 'false',
      waitSeconds: '10',
      firstReplySeconds: '20',
      score: '5',
      comment: 'Thank you',
      ratedAt: NOON,
    });
    expect(rows[2]).toMatchObject({
      closedAt: seconds(NOON, 90),
      status: 'CLOSED',
      visitorName: "'@SUM(A1)",
      waitSeconds: '10',
      firstReplySeconds: '',
      comment: "'=1+1",
    });
    const ofSales = await sue.client.get(`/reports/chats/export?${MARCH_28}&groupId=${sales}`).expect(200);
    expect(parseCsv(ofSales.text)).toHaveLength(3);
    const before = await sue.client.get('/reports/chats/export?from=2026-03-27&to=2026-03-27').expect(200);
    expect(parseCsv(before.text)).toHaveLength(1);
  });

  it('an export has the chats of all pages', async () => {
    const other = await parley.createTenant();
    const cleo = await parley.signInAgent(other, { role: 'SUPERVISOR' });
    const chat = await new ReportData(parley, other).chat('2026-05-05T00:00:00.000Z');
    await parley.query(
      `INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, message_count, created_at)
       SELECT organization_id, left(id, -4) || lpad(n::text, 4, '0'), visitor_id, group_id, 'CLOSED', now(), 0, created_at
       FROM chats CROSS JOIN generate_series(1000, 1449) n WHERE id = $1`,
      [chat],
    );
    const { text } = await cleo.client.get('/reports/chats/export?from=2026-05-05&to=2026-05-05').expect(200);
    const ids = parseCsv(text)
      .slice(1)
      .map(([id]) => id);
    expect([ids.length, new Set(ids).size]).toEqual([451, 451]);
  });

  it('every report needs a supervisor, and knows no group, chat, or agent of another organization', async () => {
    const stranger = await parley.createTenant();
    const cleo = await parley.signInAgent(stranger, { name: 'Cleo', role: 'ADMIN' });
    for (const path of ['/agents', '/ratings', '/chats/export']) {
      expect((await ada.client.get(`/reports${path}?${MARCH_28}`).expect(403)).body.code).toBe('forbidden');
      await cleo.client.get(`/reports${path}?${MARCH_28}&groupId=${sales}`).expect(404);
      for (const [query, pointer] of [
        ['to=2026-01-01', '?from'],
        ['from=2026-01-02&to=2026-01-01', '?to'],
        ['from=2026-01-01&to=2027-01-02', '?to'],
        [`${MARCH_28}&timeZone=Mars/Base`, '?timeZone'],
        [`${MARCH_28}&timeZone=%2B02:00`, '?timeZone'],
      ]) {
        const { body } = await sue.client.get(`/reports${path}?${query}`).expect(400);
        expect([path, query, body.errors[0].pointer]).toEqual([path, query, pointer]);
      }
    }
    expect((await read(`/agents?${MARCH_28}`, cleo)).agents).toMatchObject([{ name: 'Cleo', chats: 0, rated: 0 }]);
    expect((await read(`/ratings?${MARCH_28}&agentId=${ada.id}`, cleo)).ratings).toEqual([]);
    const { text } = await cleo.client.get(`/reports/chats/export?${MARCH_28}`).expect(200);
    expect(parseCsv(text)).toHaveLength(1);
  });
});
