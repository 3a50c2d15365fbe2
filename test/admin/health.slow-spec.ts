import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MailServer, Refusal } from '../mail/support/mail-server.js';
import { hasten, untilNewest } from '../mail/support/mails.js';
import { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';
import { defaultGroupOf } from '../support/tenant.js';

interface Trouble {
  kind: string;
  id: string | null;
  name: string | null;
  since: string | null;
  count: number | null;
}

describe('what needs an administrator', () => {
  let parley: Parley;
  let server: MailServer;
  let tenant: Tenant;
  let receiver: Receiver;

  beforeAll(async () => {
    server = await MailServer.start();
    const schedules = { WEBHOOK_RETRY_SECONDS: '0.1', MAIL_RETRY_SECONDS: '1000' };
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', ...schedules, ...server.environment });
  });
  afterAll(async () => {
    await parley.stop();
    await server.close();
  });
  beforeEach(async () => {
    tenant = await parley.createTenant();
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    server.behaviour = {};
    await receiver.close();
  });

  const troubles = async (of = tenant) => (await of.admin.get('/health').expect(200)).body.troubles as Trouble[];
  /** Waits until these are all, and returns them. */
  const untilTroubles = (...kinds: string[]) =>
    eventually(troubles, (all) => all.map(({ kind }) => kind).join() === kinds.join());
  const webhook = async () =>
    (await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201)).body.id as string;
  const say = () => tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'hello' }).expect(200);
  const ask = () =>
    parley.visitor(tenant.visitorToken).post(`/chats/${tenant.chatId}/messages`, { content: 'Anybody?' }).expect(201);

  it('a webhook whose deliveries are given up, until they are resent', async () => {
    receiver.become((_, response) => void response.writeHead(500).end());
    const id = await webhook();
    await say();
    const [found] = await untilTroubles('webhook_failing');
    expect(found).toMatchObject({ id, name: receiver.url, count: 1 });
    expect(Date.parse(found!.since!)).toBeLessThanOrEqual(Date.now());
    const other = await parley.createTenant();
    expect(await troubles(other)).toEqual([]);
    receiver.become((_, response) => void response.end());
    const { body } = await tenant.admin.get(`/webhooks/${id}/deliveries`).expect(200);
    await tenant.admin.post(`/webhooks/${id}/deliveries/${body.deliveries[0].id}/redeliver`).expect(202);
    await untilTroubles();
  });

  it('a webhook that Parley disabled, until it is enabled, and none that a person disabled', async () => {
    receiver.become((_, response) => void response.writeHead(410).end());
    const id = await webhook();
    await tenant.admin.post('/webhooks', { url: receiver.url, isEnabled: false }).expect(201);
    await say();
    expect(await untilTroubles('webhook_disabled')).toMatchObject([{ id, name: receiver.url }]);
    receiver.become((_, response) => void response.end());
    await tenant.admin.patch(`/webhooks/${id}`, { isEnabled: true }).expect(200);
    const { body } = await tenant.admin.get(`/webhooks/${id}/deliveries?status=dead`).expect(200);
    for (const delivery of body.deliveries)
      await tenant.admin.post(`/webhooks/${id}/deliveries/${delivery.id}/redeliver`).expect(202);
    await untilTroubles();
  });

  it('a bot that does not fetch its events, until it does', async () => {
    await tenant.admin.patch('', { botSilenceSeconds: 1 }).expect(200);
    await tenant.bot.put('/subscription', {}).expect(200);
    const { client } = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    await ask();
    // The chat is known to wait before the bot is known to be the reason.
    const silent = await eventually(troubles, (all) =>
      all.some(({ kind, id }) => kind === 'bot_silent' && id !== null),
    );
    expect(silent.filter(({ kind }) => kind === 'bot_silent')).toMatchObject([{ id: tenant.botId, name: 'Bot' }]);
    // It takes all that waits, and no one waits for it any longer.
    await client.post(`/chats/${tenant.chatId}/claim`).expect(200);
    await tenant.admin.patch('', { botSilenceSeconds: 0 }).expect(200);
    const { body } = await tenant.bot.get('/events?wait=0').expect(200);
    await tenant.bot.get(`/events?wait=0&ack=${body.ack}`).expect(200);
    await eventually(troubles, (all) => all.every(({ kind }) => kind !== 'bot_silent'));
  });

  it('a connection that is paused or fails, until it is resumed or works', async () => {
    const path = `/bots/${tenant.botId}/connection`;
    await tenant.admin.put(path, { kind: 'script' }).expect(200);
    expect(await troubles()).toEqual([]);
    await tenant.admin.patch(path, { isEnabled: false }).expect(200);
    expect(await untilTroubles('connection_paused')).toMatchObject([{ id: tenant.botId, name: 'Bot', count: null }]);
    await tenant.admin.patch(path, { isEnabled: true }).expect(200);
    await untilTroubles();
    await parley.query('UPDATE bot_connections SET failures_in_row = 7 WHERE organization_id = $1', [tenant.id]);
    expect(await untilTroubles('connection_failing')).toMatchObject([{ id: tenant.botId, count: 7 }]);
    // The script answers.
    await ask();
    await untilTroubles();
  });

  it('a group where chats wait and no one is online, within its office hours', async () => {
    const ada = await parley.signInAgent(tenant, { groupIds: [await defaultGroupOf(tenant)] });
    await tenant.bot.post('/transfer', { chatId: tenant.chatId }).expect(200);
    const [found] = await untilTroubles('nobody_online');
    expect(found).toMatchObject({ id: await defaultGroupOf(tenant), name: 'General', count: 1 });
    const socket = await parley.connectAgent(ada.token);
    await untilTroubles();
    socket.close();
    await untilTroubles('nobody_online');
    await tenant.admin.patch('', { officeHours: { timeZone: 'UTC', week: {} } }).expect(200);
    await untilTroubles();
  });

  it('e-mails that the server does not take, until it takes one', async () => {
    server.behaviour = { onText: () => new Refusal(451, '4.3.0 try later') };
    await tenant.admin.post('/mail/test', { to: 'later@example.com' }).expect(202);
    await untilNewest(tenant, ({ attempts }) => attempts === 1);
    expect(await untilTroubles('mail_failing')).toMatchObject([{ id: null, name: null, count: 1 }]);
    server.behaviour = {};
    await hasten(parley);
    await untilNewest(tenant, ({ status }) => status === 'SENT');
    await untilTroubles();
  });

  it('the list is for administrators of the organization only', async () => {
    const path = `${parley.url}/api/admin/organizations/${tenant.id}`;
    const statusFor = async (token: string | undefined) => (await new Client(path, token).get('/health')).status;
    const tokenOf = async (role: 'AGENT' | 'SUPERVISOR' | 'ADMIN', of = tenant) =>
      (await parley.signInAgent(of, { role })).token as string;
    expect(await statusFor(await tokenOf('ADMIN'))).toBe(200);
    for (const role of ['AGENT', 'SUPERVISOR'] as const) expect(await statusFor(await tokenOf(role))).toBe(403);
    expect([403, 404]).toContain(await statusFor(await tokenOf('ADMIN', await parley.createTenant())));
    expect(await statusFor(undefined)).toBe(401);
  });
});
