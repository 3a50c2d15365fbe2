import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { awayFromEnd, DAY_MS } from '../support/day.js';
import type { ChatColumns } from '../support/inbox.js';
import { ReportData, seconds, type Stay } from '../support/reports.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';

/** A time whose day depends on the time zone: 23:30 UTC is the next day in Berlin. */
const LATE = '2026-03-28T23:30:00.000Z';
const NOON = '2026-03-28T12:00:00.000Z';

const NOTHING = {
  created: 0,
  handoffs: 0,
  assigned: 0,
  replied: 0,
  unanswered: 0,
  medianWaitSeconds: null,
  medianFirstReplySeconds: null,
  closed: 0,
  rated: 0,
  ratedWithoutAgent: 0,
  averageScore: null,
};

describe('reports', () => {
  let parley: Parley;
  let tenant: Tenant;
  let sales: string;
  let sue: SignedInAgent;
  let data: ReportData;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    data = new ReportData(parley, tenant);
    sales = (await tenant.admin.post('/groups', { name: 'Sales' }).expect(201)).body.id;
    sue = await parley.signInAgent(tenant, { name: 'Sue', role: 'SUPERVISOR' });
  });
  afterAll(() => parley.stop());

  const report = async (query: string, agent = sue) => (await agent.client.get(`/reports?${query}`).expect(200)).body;
  const setTimeZone = (timeZone: unknown) => parley.admin.patch(`/${tenant.id}`, { timeZone });

  const stay = (chatId: string, given: Stay) => data.stay(chatId, { agentId: sue.id, ...given });
  const chatOf = (created: string, columns: ChatColumns = {}) => data.chat(created, columns);

  it("a report counts each day in the organization's time zone, with the medians of its hand-offs", async () => {
    const chat = await chatOf(NOON, { group_id: sales });
    await chatOf(LATE);
    await chatOf(NOON, { status: 'CLOSED', status_changed_at: LATE, group_id: sales });
    await stay(chat, { began: NOON, assigned: 10, replied: 15 });
    await stay(chat, { began: seconds(NOON, 1), assigned: 20, replied: 40 });
    await stay(chat, { began: seconds(NOON, 2), assigned: 90 });
    await stay(chat, { began: LATE, isUnanswered: true });

    const utc = await report('from=2026-03-27&to=2026-03-29');
    expect(utc).toEqual({
      timeZone: 'UTC',
      days: [
        { day: '2026-03-27', ...NOTHING },
        {
          day: '2026-03-28',
          created: 3,
          handoffs: 4,
          assigned: 3,
          replied: 2,
          unanswered: 1,
          medianWaitSeconds: 20,
          medianFirstReplySeconds: 28,
          closed: 1,
          rated: 0,
          ratedWithoutAgent: 0,
          averageScore: null,
        },
        { day: '2026-03-29', ...NOTHING },
      ],
    });

    await setTimeZone('Europe/Berlin').expect(200);
    const berlin = await report('from=2026-03-28&to=2026-03-29');
    expect(berlin.timeZone).toBe('Europe/Berlin');
    expect(berlin.days[0]).toMatchObject({ created: 2, handoffs: 3, unanswered: 0, closed: 0, medianWaitSeconds: 20 });
    expect(berlin.days[1]).toEqual({
      day: '2026-03-29',
      ...NOTHING,
      created: 1,
      handoffs: 1,
      unanswered: 1,
      closed: 1,
    });
    // A day of 23 hours is a whole day.
    expect((await report('from=2026-03-29&to=2026-03-29')).days).toEqual([berlin.days[1]]);
    await setTimeZone('UTC').expect(200);

    const ofGroup = await report(`from=2026-03-28&to=2026-03-28&groupId=${sales}`);
    expect(ofGroup.days[0]).toMatchObject({ created: 2, handoffs: 4, closed: 1 });
    const general = (await tenant.admin.get('/groups').expect(200)).body.groups.find((group: any) => group.isDefault);
    const rest = await report(`from=2026-03-28&to=2026-03-28&groupId=${general.id}`);
    expect(rest.days).toEqual([{ day: '2026-03-28', ...NOTHING, created: 1 }]);
  });

  it('a report counts the first reply of an agent who still has the chat', async () => {
    const began = '2026-04-02T12:00:00.000Z';
    const chat = await chatOf(began, {
      agent_id: sue.id,
      assigned_at: seconds(began, 5),
      agent_replied_at: seconds(began, 30),
    });
    await stay(chat, { began, assigned: 2 });
    await stay(chat, { began: seconds(began, 3), assigned: 2 });
    const { days } = await report('from=2026-04-02&to=2026-04-02');
    // It replies to the second stay, which assigned the chat, and not to the first.
    expect(days[0]).toMatchObject({ handoffs: 2, assigned: 2, medianFirstReplySeconds: 27 });
  });

  it("the text that comes with a transfer between agents doesn't count as a stay", async () => {
    const [pat, ben] = [
      await parley.signInAgent(tenant, { name: 'Pat', groupIds: [sales] }),
      await parley.signInAgent(tenant, { name: 'Ben', groupIds: [sales] }),
    ];
    await awayFromEnd(DAY_MS);
    await tenant.bot.post('/transfer', { chatId: tenant.chatId, targetGroupId: sales }).expect(200);
    await pat.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
    await pat.client.post(`/chats/${tenant.chatId}/messages`, { content: 'hello' }).expect(201);
    for (const agentId of [pat.id, pat.id, ben.id]) {
      await pat.client.post(`/chats/${tenant.chatId}/transfer`, { agentId, note: 'please' }).expect(200);
    }
    await ben.client.post(`/chats/${tenant.chatId}/messages`, { content: 'hi' }).expect(201);
    const today = new Date().toISOString().slice(0, 10);
    const { days } = await report(`from=${today}&to=${today}&groupId=${sales}`);
    expect(days[0]).toMatchObject({ handoffs: 1, assigned: 1, medianFirstReplySeconds: expect.any(Number) });
  });

  it('a report has every day of a year, and nothing of another organization', async () => {
    const year = await report('from=2025-01-01&to=2026-01-01');
    expect(year.days).toHaveLength(366);
    expect(year.days.at(-1)).toEqual({ day: '2026-01-01', ...NOTHING });
    const stranger = await parley.createTenant();
    const cleo = await parley.signInAgent(stranger, { role: 'ADMIN' });
    const { days } = await report('from=2026-03-28&to=2026-03-28', cleo);
    expect(days).toEqual([{ day: '2026-03-28', ...NOTHING }]);
    await cleo.client.get(`/reports?from=2026-03-28&to=2026-03-28&groupId=${sales}`).expect(404);
  });

  it('a report needs a supervisor and two days', async () => {
    const ada = await parley.signInAgent(tenant, { groupIds: [sales] });
    expect((await ada.client.get('/reports').expect(403)).body.code).toBe('forbidden');
    for (const [query, pointer] of [
      ['to=2026-01-01', '?from'],
      ['from=2026-01-01', '?to'],
      ['from=2026-02-30&to=2026-03-01', '?from'],
      ['from=2026-1-1&to=2026-03-01', '?from'],
      ['from=2026-01-01T00:00:00Z&to=2026-03-01', '?from'],
      ['from=0000-01-01&to=0000-01-02', '?from'],
      ['from=2026-01-02&to=2026-01-01', '?to'],
      ['from=2026-01-01&to=2027-01-02', '?to'],
    ]) {
      const { body } = await sue.client.get(`/reports?${query}`).expect(400);
      expect([query, body.errors[0].pointer]).toEqual([query, pointer]);
    }
    for (const days of ['1970-01-01', '9999-12-31'])
      expect((await report(`from=${days}&to=${days}`)).days).toHaveLength(1);
  });

  it('only IANA time zones are accepted', async () => {
    for (const timeZone of ['Europe/Berlin', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'UTC']) {
      expect((await setTimeZone(timeZone).expect(200)).body.timeZone).toBe(timeZone);
    }
    for (const [given, kept] of [
      ['europe/BERLIN', 'Europe/Berlin'],
      ['Asia/Calcutta', 'Asia/Calcutta'],
      ['EST5EDT', 'EST5EDT'],
    ]) {
      expect((await setTimeZone(given).expect(200)).body.timeZone).toBe(kept);
    }
    await setTimeZone('UTC').expect(200);
    for (const timeZone of [
      'Mars/Base',
      'CEST',
      'PDT',
      'XYZ+3',
      'UTC+2',
      '3',
      'Etc/GMT+20',
      'infinity',
      '+02:00',
      '-05',
      '',
      7,
      'x'.repeat(65),
      'posixrules',
      'Europe/Berlin\u0000',
    ]) {
      const { body } = await setTimeZone(timeZone).expect(400);
      expect([timeZone, body.errors[0].pointer]).toEqual([timeZone, '/timeZone']);
    }
    expect((await parley.admin.get(`/${tenant.id}`).expect(200)).body.timeZone).toBe('UTC');
  });
});
