import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, until } from '../support/eventually.js';
import { Client } from '../support/client.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';

const ALL_DAY = [{ from: '00:00', to: '24:00' }];
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
/** Never open in a year that a test runs in, except for the given dates. */
const closed = (...exceptions: object[]) => ({ timeZone: 'Europe/Berlin', week: {}, exceptions });
const OPEN = { timeZone: 'UTC', week: Object.fromEntries(DAYS.map((day) => [day, ALL_DAY])) };
const NEW_YEAR = { date: '2100-01-04', ranges: [{ from: '09:00', to: '17:00' }] };
const NEW_YEAR_OPENS = '2100-01-04T08:00:00.000Z';

describe('office hours', () => {
  let parley: Parley;
  let tenant: Tenant;
  let group: string;
  let ada: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    group = (await tenant.admin.post('/groups', { name: 'Sales', routing: 'AUTOMATIC' }).expect(201)).body.id;
    ada = await parley.signInAgent(tenant, { groupIds: [group] });
    await parley.connectAgent(ada.token);
  });

  const setGroup = (officeHours: object | null) => tenant.admin.patch(`/groups/${group}`, { officeHours });
  const setOrganization = (officeHours: unknown) => parley.admin.patch(`/${tenant.id}`, { officeHours });
  const transfer = async (body: object = {}) =>
    (await tenant.bot.post('/transfer', { chatId: tenant.chatId, targetGroupId: group, ...body }).expect(200)).body;
  const availability = async (): Promise<Record<string, any>> => {
    const { body } = await tenant.bot.get('/groups/availability').expect(200);
    return body.find(({ groupId }: { groupId: string }) => groupId === group);
  };
  const owner = async (chatId = tenant.chatId) => (await tenant.bot.get(`/chats/${chatId}`).expect(200)).body.owner;
  /** Routing has seen everything: a chat of an open group, queued last, was assigned. */
  const settle = async () => {
    const body = { name: 'Open', routing: 'AUTOMATIC', officeHours: OPEN };
    const { id } = (await tenant.admin.post('/groups', body).expect(201)).body;
    const ben = await parley.signInAgent(tenant, { groupIds: [id] });
    await parley.connectAgent(ben.token);
    const chat = (await tenant.admin.post('/chats', {}).expect(201)).body.id;
    await tenant.bot.post('/transfer', { chatId: chat, targetGroupId: id }).expect(200);
    await until('the chat of the open group is assigned', async () => (await owner(chat)) === 'AGENT');
  };
  /** The group opens, or closes, as if its time had come. */
  const letTimePass = (columns: string) => parley.query(`UPDATE groups SET ${columns} WHERE id = $1`, [group]);

  it('outside of its hours, a group offers and assigns nothing, and bots learn when it opens', async () => {
    await setGroup(closed(NEW_YEAR)).expect(200);
    expect((await transfer()).handoff).toMatchObject({ availability: 'OFFLINE', nextOpening: NEW_YEAR_OPENS });
    await settle();
    expect(await owner()).toBe('QUEUE');
    expect(await availability()).toMatchObject({
      availability: 'OFFLINE',
      onlineAgents: 1,
      isOpen: false,
      nextOpening: NEW_YEAR_OPENS,
      estimatedWaitSeconds: null,
    });
    const [seen] = (await ada.client.get('/groups').expect(200)).body.filter(({ id }: { id: string }) => id === group);
    expect(seen).toMatchObject({ availability: 'OFFLINE', isOpen: false, nextOpening: NEW_YEAR_OPENS });
  });

  it('a transfer that must not wait fails outside of the hours, with the next opening', async () => {
    await setGroup(closed(NEW_YEAR)).expect(200);
    const body = { chatId: tenant.chatId, targetGroupId: group, ifUnavailable: 'FAIL' };
    const refused = await tenant.bot.post('/transfer', body).expect(409);
    expect(refused.body).toMatchObject({
      code: 'nobody_available',
      availability: 'OFFLINE',
      nextOpening: NEW_YEAR_OPENS,
    });
    await setGroup(closed()).expect(200);
    expect((await tenant.bot.post('/transfer', body).expect(409)).body).toMatchObject({ nextOpening: null });
    await setGroup(OPEN).expect(200);
    await tenant.bot.post('/transfer', body).expect(200);
  });

  it('an agent who wants to work anyway claims a chat outside of the hours', async () => {
    await setGroup(closed()).expect(200);
    await transfer();
    await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
    expect(await owner()).toBe('AGENT');
  });

  it("a chat that waits when the group closes keeps waiting, its visitor learns when people are back, and it's assigned when the group opens", async () => {
    await setGroup(OPEN).expect(200);
    await ada.client.put('/presence', { isAccepting: false }).expect(200);
    await transfer();
    const visitor = await parley.connectVisitor(tenant.visitorToken);
    await visitor.ask('chat:open', { chatId: tenant.chatId });
    await setGroup(closed(NEW_YEAR)).expect(200);
    const told = () => visitor.all('chat').find(({ queue }) => queue?.isOpen === false);
    await visitor.until(() => told() !== undefined);
    expect(told()).toMatchObject({ owner: 'QUEUE', queue: { position: 1, nextOpening: NEW_YEAR_OPENS } });
    await ada.client.put('/presence', { isAccepting: true }).expect(200);
    await settle();
    expect(await owner()).toBe('QUEUE');
    await letTimePass(`opens_at = now() - interval '1 second'`);
    await until('the chat is assigned', async () => (await owner()) === 'AGENT');
  });

  it('a chat that waits outside of the hours is unanswered in time, and returns to the bot', async () => {
    await setGroup(closed(NEW_YEAR)).expect(200);
    await transfer({ maxWaitSeconds: 1, onUnanswered: 'RETURN_TO_BOT' });
    await until('the bot has the chat', async () => (await owner()) === 'BOT');
  });

  it('when hours are over, the next ones are computed, on one of the nodes', async () => {
    await setGroup(closed(NEW_YEAR)).expect(200);
    await letTimePass(
      `opens_at = now() - interval '2 hours', closes_at = now() - interval '1 hour',
       reopens_at = '2100-01-01', hours_due_at = NULL`,
    );
    expect(await availability()).toMatchObject({ isOpen: false, nextOpening: '2100-01-01T00:00:00.000Z' });
    await letTimePass(`hours_due_at = now() - interval '1 hour'`);
    await eventually(availability, ({ nextOpening }) => nextOpening === NEW_YEAR_OPENS);
    const [due] = await parley.query<{ isLater: boolean }>(
      'SELECT hours_due_at > clock_timestamp() AS "isLater" FROM groups WHERE id = $1',
      [group],
    );
    expect(due!.isLater).toBe(true);
  });

  it("a group's own hours replace the organization's, and null means the organization's", async () => {
    await setOrganization(closed(NEW_YEAR)).expect(200);
    expect(await availability()).toMatchObject({ isOpen: false, nextOpening: NEW_YEAR_OPENS });
    const made = await tenant.admin.post('/groups', { name: 'New' }).expect(201);
    expect(made.body.officeHours).toBeNull();
    const all = (await tenant.bot.get('/groups/availability').expect(200)).body;
    expect(all.map(({ isOpen }: { isOpen: boolean }) => isOpen)).toEqual([false, false, false]);
    await setGroup(OPEN).expect(200);
    expect(await availability()).toMatchObject({ isOpen: true, nextOpening: null, availability: 'AVAILABLE' });
    await setOrganization(closed()).expect(200);
    expect((await availability()).isOpen).toBe(true);
    const { body } = await setGroup(null).expect(200);
    expect(body.officeHours).toBeNull();
    expect(await availability()).toMatchObject({ isOpen: false, nextOpening: null });
    await setOrganization(null).expect(200);
    expect((await availability()).isOpen).toBe(true);
  });

  it('hours are answered as they are stored, whole and in order, with their version', async () => {
    const exceptions = [{ date: '2027-01-01', ranges: [] }, NEW_YEAR];
    const given = { timeZone: 'europe/berlin', week: { monday: ALL_DAY }, exceptions: exceptions.toReversed() };
    const { body } = await setGroup(given).expect(200);
    const week = Object.fromEntries(DAYS.map((day) => [day, day === 'monday' ? ALL_DAY : []]));
    expect(body.officeHours).toEqual({ timeZone: 'Europe/Berlin', week, exceptions });
    const read = await tenant.admin.get(`/groups/${group}`).expect(200);
    expect(read.body.officeHours).toEqual(body.officeHours);
    await tenant.admin.patch(`/groups/${group}`, { name: 'Sales 2' }).expect(200);
    expect((await tenant.admin.get(`/groups/${group}`).expect(200)).body.officeHours).toEqual(body.officeHours);
    const late = await tenant.admin
      .patch(`/groups/${group}`, { officeHours: null })
      .set('If-Match', read.headers.etag!)
      .expect(412);
    expect(late.body.code).toBe('precondition_failed');
    const organization = await setOrganization(given).expect(200);
    expect(organization.body.officeHours).toEqual(body.officeHours);
    expect((await parley.admin.get(`/${tenant.id}`).expect(200)).body.officeHours).toEqual(body.officeHours);
  });

  it('in hours, null counts as omitted', async () => {
    const given = { timeZone: 'UTC', week: { monday: null, tuesday: ALL_DAY }, exceptions: null };
    const week = Object.fromEntries(DAYS.map((day) => [day, day === 'tuesday' ? ALL_DAY : []]));
    const officeHours = { timeZone: 'UTC', week, exceptions: [] };
    expect((await setGroup(given).expect(200)).body.officeHours).toEqual(officeHours);
    expect((await setOrganization(given).expect(200)).body.officeHours).toEqual(officeHours);
  });

  it('hours with a fault are refused at the place of the fault', async () => {
    const range = (from: unknown, to: unknown) => ({ timeZone: 'UTC', week: { monday: [{ from, to }] } });
    for (const [hours, pointer] of [
      [7, ''],
      [[], ''],
      [{ timeZone: 'UTC' }, '/week'],
      [{ week: {} }, '/timeZone'],
      [{ timeZone: 'Mars/Base', week: {} }, '/timeZone'],
      [{ timeZone: '+02:00', week: {} }, '/timeZone'],
      [{ timeZone: 'UTC', week: { holiday: [] } }, '/week'],
      [{ timeZone: 'UTC', week: { funday: [] } }, '/week/funday'],
      [{ timeZone: 'UTC', week: { monday: {} } }, '/week/monday'],
      [{ timeZone: 'UTC', week: { monday: [1] } }, '/week/monday/0'],
      [{ timeZone: 'UTC', week: { monday: [ALL_DAY[0], ALL_DAY[0], ALL_DAY[0], ALL_DAY[0]] } }, '/week/monday'],
      [range('9:00', '17:00'), '/week/monday/0/from'],
      [range('24:00', '17:00'), '/week/monday/0/from'],
      [range('09:00', '24:01'), '/week/monday/0/to'],
      [range('09:00', '09:00'), '/week/monday/0/to'],
      [range('09:00', 17), '/week/monday/0/to'],
      [{ ...closed(), exceptions: {} }, '/exceptions'],
      [closed({ date: '2026-02-30', ranges: [] }), '/exceptions/0/date'],
      [closed({ date: '2026-02-28' }), '/exceptions/0/ranges'],
      [closed(NEW_YEAR, NEW_YEAR), '/exceptions/1/date'],
      [closed({ ...NEW_YEAR, ranges: [{ from: '09:00', to: 'x' }] }), '/exceptions/0/ranges/0/to'],
      [closed(...Array.from({ length: 101 }, () => NEW_YEAR)), '/exceptions'],
    ] as const) {
      const { body } = await setGroup(hours as object).expect(400);
      expect([hours, body.errors[0].pointer]).toEqual([hours, `/officeHours${pointer}`]);
      await setOrganization(hours).expect(400);
    }
  });

  it('the widget reads when the default group opens', async () => {
    const page = new Client(parley.url);
    const { widgetKey } = (await parley.admin.get(`/${tenant.id}`).expect(200)).body;
    const hours = async () => (await page.get(`/api/visitor/widget?key=${widgetKey}`).expect(200)).body.hours;
    expect(await hours()).toBeNull();
    await setOrganization(closed(NEW_YEAR)).expect(200);
    expect(await hours()).toEqual({
      opensAt: NEW_YEAR_OPENS,
      closesAt: '2100-01-04T16:00:00.000Z',
      reopensAt: null,
    });
    await tenant.admin.patch(`/groups/${group}`, { officeHours: OPEN, isDefault: true }).expect(200);
    expect(Date.parse((await hours()).opensAt)).toBeLessThan(Date.now());
  });

  it('hours belong to one organization', async () => {
    const other = await parley.createTenant();
    await setOrganization(closed()).expect(200);
    const { body } = await other.bot.get('/groups/availability').expect(200);
    expect(body.map(({ isOpen }: { isOpen: boolean }) => isOpen)).toEqual([true]);
    await other.admin.patch(`/groups/${group}`, { officeHours: OPEN }).expect(404);
  });
});
