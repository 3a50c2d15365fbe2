import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { hasten, openChat, queueChat, signInMember, subscribe, untilLapsed, untilNone } from './support/notify.js';
import { type FakeBrowser, PushService } from './support/push-service.js';

describe('what agents are notified about', () => {
  let service: PushService;
  let parley: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;
  let browser: FakeBrowser;

  beforeAll(async () => {
    service = await PushService.start();
    parley = await Parley.start({ ...service.environment, MAIL_FROM: 'Acme <support@example.com>' });
  });

  afterAll(async () => {
    await parley.stop();
    await service.close();
  });

  // Each test has an organization of its own, because routing and settings concern all chats.
  const begin = async (groupFields: object = {}) => {
    tenant = await parley.createTenant({ name: 'Acme' });
    const { body: group } = await tenant.admin.post('/groups', { name: 'Sales', isDefault: true, ...groupFields });
    ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds: [group.id] });
    browser = service.browser();
    await subscribe(ada, browser);
    return group.id as string;
  };

  it('a visitor message in the chat of an agent without a page is sent, encrypted and signed', async () => {
    await begin();
    const { chatId, say } = await openChat(parley, tenant, ada);
    await say('Where is my parcel?');
    const [push] = await browser.count(1);
    expect(push!.payload).toEqual({
      web_push: 8030,
      notification: {
        title: 'Vera',
        body: 'Where is my parcel?',
        navigate: `https://chat.example.com/console/mine/${chatId}`,
        tag: chatId,
        lang: 'en',
        silent: false,
      },
      app_badge: '1',
    });
    expect(push!.headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high' });
    expect(push!.headers.topic).toMatch(/^[\w-]{1,32}$/);
    expect(Number(push!.headers.ttl)).toBeGreaterThan(86_000);
    expect(push!.claims).toMatchObject({ aud: service.origin, sub: 'mailto:support@example.com' });
    expect(push!.publicKey).toBe((await ada.client.get('/push').expect(200)).body.publicKey);
    await untilNone(parley);
  });

  it('nothing is sent while a page of the agent is visible on any device, and again once it is hidden', async () => {
    await begin();
    const { chatId, say } = await openChat(parley, tenant, ada);
    const [desk, phone] = [await parley.connectAgent(ada.token), await parley.connectAgent(ada.token)];
    expect(await desk.ask('visible', { isVisible: true })).toEqual({ ok: true });
    expect(await phone.ask('visible', { isVisible: false })).toEqual({ ok: true });
    await say('seen');
    await desk.until(() => desk.all('message').length === 1);
    // Events are queued in order: once a later one has arrived, this one found a visible page.
    const [ben, bens] = [await signInMember(parley, tenant, { name: 'Ben' }), service.browser()];
    await subscribe(ben, bens);
    const later = await openChat(parley, tenant, ben);
    await later.say('later');
    await bens.count(1);
    await desk.ask('visible', { isVisible: false });
    await say('missed');
    const [push] = await browser.count(1);
    expect(push!.payload.notification).toMatchObject({ body: 'missed', tag: chatId });
    expect(browser.arrived).toHaveLength(1);
  });

  it('a page that closes while it is visible no longer counts', async () => {
    await begin();
    const { say } = await openChat(parley, tenant, ada);
    const page = await parley.connectAgent(ada.token);
    await page.ask('visible', { isVisible: true });
    page.close();
    await parley.untilRow(`SELECT FROM agent_connections WHERE agent_id = '${ada.id}' AND closed_at IS NOT NULL`);
    await say('anyone?');
    await browser.count(1);
  });

  it('an offer is sent with the time that it lives, and only to an agent with an open page', async () => {
    await begin({ routing: 'OFFER', offerSeconds: 60 });
    const { chatId } = await queueChat(parley, tenant);
    // Push makes no agent present.
    expect((await ada.client.get('/session').expect(200)).body.agent.presence).toBe('OFFLINE');
    expect(await parley.query('SELECT FROM chat_offers WHERE chat_id = $1', [chatId])).toEqual([]);
    const page = await parley.connectAgent(ada.token);
    await page.next('offer');
    const [push] = await browser.count(1);
    expect(push!.payload.notification).toMatchObject({ title: 'Vera', body: 'Chat offer', tag: chatId });
    expect(Number(push!.headers.ttl)).toBeLessThanOrEqual(60);
  });

  it('an assignment by a colleague is sent, and a claim of one’s own is not', async () => {
    const groupId = await begin();
    const boss = await parley.signInAgent(tenant, { name: 'Bea', role: 'SUPERVISOR', groupIds: [groupId] });
    const other = service.browser();
    await subscribe(boss, other);
    const { chatId } = await openChat(parley, tenant, boss);
    await boss.client.post(`/chats/${chatId}/assign`, { agentId: ada.id }).expect(200);
    const [push] = await browser.count(1);
    expect(push!.payload.notification).toMatchObject({ title: 'Vera', body: 'Assigned to you', tag: chatId });
    expect(other.arrived).toHaveLength(0);
  });

  it('a mention is sent with the note, in the language of the browser', async () => {
    const groupId = await begin();
    await subscribe(ada, browser, { language: 'de-AT' });
    const bob = await parley.signInAgent(tenant, { name: 'Bob', groupIds: [groupId] });
    const { chatId } = await queueChat(parley, tenant);
    await bob.client.post(`/chats/${chatId}/notes`, { content: 'Look, @Ada', mentions: [ada.id] }).expect(201);
    const [push] = await browser.count(1);
    const expected = { title: 'Vera', body: 'Bob hat Sie erwähnt: Look, @Ada', lang: 'de' };
    expect(push!.payload.notification).toMatchObject(expected);
  });

  it('names and texts are shortened, and a payload has at most 3 kB', async () => {
    await begin();
    const { say } = await openChat(parley, tenant, ada, '👩🏽‍🚀'.repeat(28));
    await say('👩🏽‍🚀\n'.repeat(500));
    const [push] = await browser.count(1);
    expect(push!.bytes).toBeLessThan(3_000);
    expect(Array.from(push!.payload.notification.body as string)).toHaveLength(120);
  });

  it('without pushContent, a notification has neither name nor text', async () => {
    await begin();
    await tenant.admin.patch('', { mail: { pushContent: false } }).expect(200);
    const { say } = await openChat(parley, tenant, ada);
    await say('My card number is 4111');
    const [push] = await browser.count(1);
    expect(push!.payload.notification).toMatchObject({ title: 'Acme', body: 'New message' });
    expect(JSON.stringify(push!.payload)).not.toMatch(/Vera|4111/);
  });

  it('kinds that the agent turned off, quiet hours, and sound are respected', async () => {
    const groupId = await begin();
    const bob = await parley.signInAgent(tenant, { name: 'Bob', groupIds: [groupId] });
    const { chatId, say } = await openChat(parley, tenant, ada);
    await ada.client.patch('/push', { kinds: ['message'], isSilent: true }).expect(200);
    const note = { content: '@Ada', mentions: [ada.id] };
    await untilLapsed(parley, async () => bob.client.post(`/chats/${chatId}/notes`, note).expect(201));
    await say('loud?');
    const [push] = await browser.count(1);
    expect(push!.payload.notification).toMatchObject({ body: 'loud?', silent: true });
    // All day but a minute that has just ended.
    const minute = (offset: number) => new Date(Date.now() + offset * 60_000).toISOString().slice(11, 16);
    const quietHours = { from: minute(-1), to: minute(-2), timeZone: 'UTC' };
    const { body } = await ada.client.patch('/push', { quietHours }).expect(200);
    expect(body).toMatchObject({ kinds: ['message'], isSilent: true, quietHours });
    await untilLapsed(parley, () => say('night'));
    await ada.client.patch('/push', { quietHours: null }).expect(200);
    await say('day');
    expect((await browser.count(2))[1]!.payload.notification.body).toBe('day');
  });

  it('several messages before the first attempt are one notification, and a read one is not sent', async () => {
    await begin();
    const { chatId, say } = await openChat(parley, tenant, ada);
    browser.refuse(503);
    await say('one');
    await browser.count(1);
    await eventually(
      () => parley.query('SELECT FROM push_notifications WHERE attempts = 1'),
      ({ length }) => length === 1,
    );
    await say('two');
    await parley.untilRow(`SELECT FROM push_notifications WHERE chat_id = '${chatId}' AND lease = 2`);
    expect(await parley.query('SELECT FROM push_notifications WHERE chat_id = $1', [chatId])).toHaveLength(1);
    const { messages } = (await ada.client.get(`/chats/${chatId}/messages`).expect(200)).body;
    await ada.client.post(`/chats/${chatId}/read`, { seq: messages.at(-1).seq }).expect(200);
    browser.accept();
    await untilLapsed(parley, () => hasten(parley));
    expect(browser.arrived).toHaveLength(1);
  });
});
