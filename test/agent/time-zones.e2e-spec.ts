import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseCsv } from '../support/csv.js';
import { eventually } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { ReportData, seconds } from '../support/reports.js';
import { StatementRecorder } from '../support/statements.js';

/** Node.js knows this former name, and the tests' PostgreSQL doesn't. */
const UNKNOWN_TO_DATABASE = 'US/Pacific-New';

const FORMER_NAMES = ['Asia/Calcutta', 'Europe/Kiev', 'America/Buenos_Aires', 'Asia/Saigon', 'Asia/Katmandu'];
const OTHER_NAMES = [
  'Asia/Kolkata',
  'Europe/Kyiv',
  'America/Coyhaique',
  'US/Pacific',
  'CET',
  'EST5EDT',
  'EST',
  'GB',
  'NZ-CHAT',
  'W-SU',
  'Etc/GMT+5',
  'Etc/GMT-14',
  'GMT0',
  'UTC',
  'Zulu',
  'America/Port-au-Prince',
  'Antarctica/DumontDUrville',
];

const WORKDAY = { week: { monday: [{ from: '09:00', to: '17:00' }] } };
const CLOSED_UNTIL_2100 = { week: {}, exceptions: [{ date: '2100-07-05', ranges: [{ from: '09:00', to: '17:00' }] }] };

describe('time zones that the database may not know', () => {
  let parley: Parley;
  let tenant: Tenant;
  let data: ReportData;
  let sue: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    data = new ReportData(parley, tenant);
    sue = await parley.signInAgent(tenant, { name: 'Sue', role: 'SUPERVISOR' });
  });
  afterAll(() => parley.stop());

  const change = (fields: object) => parley.admin.patch(`/${tenant.id}`, fields);
  const read = async (path: string) => (await sue.client.get(`/reports${path}`).expect(200)).body;
  const created = async (zone: string, from: string, to: string): Promise<[string, number][]> => {
    const { days } = await read(`?from=${from}&to=${to}&timeZone=${zone}`);
    return days.map((one: { day: string; created: number }) => [one.day, one.created]);
  };
  const exported = async (zone: string, day: string) =>
    parseCsv((await sue.client.get(`/reports/chats/export?from=${day}&to=${day}&timeZone=${zone}`).expect(200)).text)
      .slice(1)
      .map(([id]) => id);
  const nextOpening = async () => {
    const [group] = (await tenant.bot.get('/groups/availability').expect(200)).body;
    return group.nextOpening;
  };

  it('a zone that only Node.js knows works in settings, office hours, reports, and exports', async () => {
    const timeZone = UNKNOWN_TO_DATABASE;
    await expect(parley.query(`SELECT now() AT TIME ZONE '${timeZone}'`)).rejects.toThrow('not recognized');
    expect((await change({ timeZone }).expect(200)).body.timeZone).toBe(timeZone);
    const { body } = await change({ officeHours: { timeZone, ...CLOSED_UNTIL_2100 } }).expect(200);
    expect(body.officeHours.timeZone).toBe(timeZone);
    expect(await nextOpening()).toBe('2100-07-05T16:00:00.000Z');
    const chat = await data.chat('2026-07-02T06:59:59.999Z');
    await data.chat('2026-07-02T07:00:00.000Z');
    expect(await read('?from=2026-07-01&to=2026-07-01')).toMatchObject({ timeZone, days: [{ created: 1 }] });
    expect((await read('/agents?from=2026-07-01&to=2026-07-01')).timeZone).toBe(timeZone);
    expect((await read('/ratings?from=2026-07-01&to=2026-07-01')).timeZone).toBe(timeZone);
    expect(await exported(timeZone, '2026-07-01')).toEqual([chat]);
    await change({ timeZone: 'UTC', officeHours: null }).expect(200);
  });

  it.each([...FORMER_NAMES, ...OTHER_NAMES])(
    '%s is kept as it is written, in upper and lower case',
    async (timeZone) => {
      for (const given of [timeZone, timeZone.toLowerCase(), timeZone.toUpperCase()]) {
        const { body } = await change({ timeZone: given, officeHours: { timeZone: given, ...WORKDAY } }).expect(200);
        expect([given, body.timeZone, body.officeHours.timeZone]).toEqual([given, timeZone, timeZone]);
      }
      const { days, timeZone: answered } = await read(
        `?from=2026-03-01&to=2026-03-02&timeZone=${encodeURIComponent(timeZone)}`,
      );
      expect([days.length, answered]).toEqual([2, timeZone]);
    },
  );

  it.each(['Factory', 'localtime', 'posixrules', 'IST', 'bst', 'SystemV/AST4', 'Etc/Unknown', '+05:30'])(
    '%s, which browsers do not report, is refused at its field',
    async (timeZone) => {
      const pointerOf = (body: { errors: { pointer: string }[] }) => body.errors.map(({ pointer }) => pointer);
      expect(pointerOf((await change({ timeZone }).expect(400)).body)).toEqual(['/timeZone']);
      const hours = await change({ officeHours: { timeZone, ...WORKDAY } }).expect(400);
      expect(pointerOf(hours.body)).toEqual(['/officeHours/timeZone']);
      const query = `from=2026-03-01&to=2026-03-02&timeZone=${encodeURIComponent(timeZone)}`;
      expect(pointerOf((await sue.client.get(`/reports?${query}`).expect(400)).body)).toEqual(['?timeZone']);
    },
  );

  // PostgreSQL knows the first one.
  it.each(['Factory', 'Mars/Base'])(
    'if Node.js does not know the stored zone %s, days and office hours use UTC',
    async (stored) => {
      await change({ officeHours: { timeZone: 'Asia/Tokyo', ...CLOSED_UNTIL_2100 } }).expect(200);
      await parley.query(
        `UPDATE organizations SET time_zone = $2, office_hours = replace(office_hours::text, 'Asia/Tokyo', $2)::json WHERE id = $1`,
        [tenant.id, stored],
      );
      await parley.query('UPDATE groups SET hours_due_at = now() WHERE organization_id = $1', [tenant.id]);
      await eventually(nextOpening, (time) => time === '2100-07-05T09:00:00.000Z');
      for (const path of ['', '/agents', '/ratings']) {
        expect([path, (await read(`${path}?from=2026-03-01&to=2026-03-02`)).timeZone]).toEqual([path, 'UTC']);
      }
      await sue.client.get('/reports/chats/export?from=2026-03-01&to=2026-03-02').expect(200);
      expect((await parley.admin.get(`/${tenant.id}`).expect(200)).body.timeZone).toBe(stored);
      await change({ name: 'Renamed' }).expect(200);
      await change({ timeZone: 'UTC', officeHours: null }).expect(200);
    },
  );

  it('no statement computes with the name of a zone', async () => {
    const recorder = new StatementRecorder();
    recorder.start();
    await change({ timeZone: 'Asia/Tokyo', officeHours: { timeZone: 'Asia/Tokyo', ...WORKDAY } }).expect(200);
    for (const path of ['', '/agents', '/ratings']) await read(`${path}?from=2026-03-01&to=2026-03-02`);
    await exported('Asia/Tokyo', '2026-03-01');
    recorder.stop();
    await change({ timeZone: 'UTC', officeHours: null }).expect(200);
    const named = recorder.statements.filter(({ sent }) => JSON.stringify(sent.values).includes('Asia/Tokyo'));
    // A text is recorded with its last values. The audit log's are the export's.
    expect(named.map(({ text }) => text.slice(0, 20))).toEqual(['UPDATE organizations']);
    expect(recorder.statements.filter(({ text }) => /time ?zone/i.test(text.replace(/time_zone/g, '')))).toEqual([]);
  });

  it.each([
    [
      'whose day is three quarters of an hour from the hour',
      'Asia/Kathmandu',
      '2026-05-10',
      '2026-05-09T18:15:00.000Z',
      24,
    ],
    ['whose clocks change by half an hour', 'Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30:00.000Z', 23.5],
    ['whose day begins at 01:00', 'America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', 23],
    ['whose clocks go back to the day before', 'America/Sao_Paulo', '2018-02-17', '2018-02-17T02:00:00.000Z', 25],
    ['whose day has two midnights', 'America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
    ['that is a day ahead', 'Pacific/Kiritimati', '2026-06-10', '2026-06-09T10:00:00.000Z', 24],
    ['that skipped the day before', 'Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z', 24],
  ])('chats count on their day in a zone %s', async (_, zone, day, begins, hours) => {
    const after = (time: string, days: number) =>
      new Date(Date.parse(time) + days * 86_400_000).toISOString().slice(0, 10);
    const ends = seconds(begins, hours * 3_600);
    const last = seconds(ends, -0.001);
    await data.chat(seconds(begins, -0.001));
    const [first, final] = [await data.chat(begins), await data.chat(last)];
    await data.chat(ends);
    const [before, next] = [after(day, zone === 'Pacific/Apia' ? -2 : -1), after(day, 1)];
    const counted = await created(zone, before, next);
    expect(counted.filter(([, number]) => number > 0)).toEqual([
      [before, 1],
      [day, 2],
      [next, 1],
    ]);
    expect(counted).toHaveLength(zone === 'Pacific/Apia' ? 4 : 3);
    expect(await exported(zone, day)).toEqual([first, final]);
  });
});
