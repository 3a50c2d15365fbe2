import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import webPush from 'web-push';
import { PushOutbox } from '../../src/push/push-outbox.service.js';
import { resealBatch } from '../../src/platform/database/key/reseal.queries.js';
import { eventually } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { openChat, subscribe, subscriptionsOf, untilLapsed, signInMember } from './support/notify.js';
import { type FakeBrowser, PushService } from './support/push-service.js';

describe('push subscriptions', () => {
  let service: PushService;
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    service = await PushService.start();
    parley = await Parley.start(service.environment);
    tenant = await parley.createTenant();
  });

  afterAll(async () => {
    await parley.stop();
    await service.close();
  });

  const signIn = (password?: string) => signInMember(parley, tenant, { password });
  const begin = async () => {
    const [agent, browser] = [await signIn(), service.browser()];
    await subscribe(agent, browser);
    return { agent, browser };
  };

  it.each([
    ['a text', 'endpoint', '/endpoint', 'must be a URL'],
    ['a file', 'file:///etc/passwd', '/endpoint', 'must start with https://'],
    ['the metadata service', 'https://169.254.169.254/latest', '/endpoint', 'is not a public address'],
    ['a private address', 'https://10.0.0.1/push', '/endpoint', 'is not a public address'],
    ['a local name', 'https://localhost/push', '/endpoint', 'is not a public address'],
    ['a user', 'https://ada:pw@push.example.com/x', '/endpoint', 'must not contain a user name'],
  ])('an endpoint that is %s is rejected', async (_, endpoint, pointer, detail) => {
    const { client } = await signIn();
    const { body } = await client
      .put('/push/subscriptions', { ...service.browser().subscription, endpoint })
      .expect(400);
    expect(body.errors).toEqual([{ pointer, detail: expect.stringContaining(detail) }]);
  });

  it.each([
    ['p256dh', 'AAAA'],
    ['p256dh', `B${'A'.repeat(86)}`],
    ['p256dh', 'not base64 !'],
    ['auth', 'AAAA'],
    ['auth', 'A'.repeat(43)],
  ] as const)('a wrong key is rejected: %s %s', async (name, value) => {
    const { client } = await signIn();
    const { subscription } = service.browser();
    const keys = { ...subscription.keys, [name]: value };
    const { body } = await client.put('/push/subscriptions', { ...subscription, keys }).expect(400);
    expect(body.errors).toEqual([{ pointer: `/keys/${name}`, detail: expect.stringContaining('base64url') }]);
  });

  it.each([
    [{ kinds: ['everything'] }, '/kinds'],
    [{ kinds: ['offer', 'offer'] }, '/kinds'],
    [{ quietHours: { from: '22:00', to: '22:00', timeZone: 'UTC' } }, '/quietHours'],
    [{ quietHours: { from: '24:00', to: '07:00', timeZone: 'UTC' } }, '/quietHours'],
    [{ quietHours: { from: '22:00', to: '07:00', timeZone: 'Mars/Base' } }, '/quietHours'],
    [{ isSilent: 'yes' }, '/isSilent'],
  ])('wrong settings are rejected: %j', async (change, pointer) => {
    const { client } = await signIn();
    const { body } = await client.patch('/push', change).expect(400);
    expect(body.errors).toEqual([{ pointer, detail: expect.any(String) }]);
  });

  it('an agent has the ten newest ones', async () => {
    const agent = await signIn();
    const browsers = Array.from({ length: 12 }, () => service.browser());
    for (const browser of browsers) await subscribe(agent, browser);
    await subscribe(agent, browsers[11]!);
    expect(await subscriptionsOf(parley, agent)).toBe(10);
    const { say } = await openChat(parley, tenant, agent);
    await say('hello');
    for (const browser of browsers.slice(2)) await browser.count(1);
    expect(browsers.slice(0, 2).flatMap(({ arrived }) => arrived)).toEqual([]);
  });

  it('only the agent can end a subscription', async () => {
    const { agent, browser } = await begin();
    const other = await signIn();
    const end = ({ client }: SignedInAgent, { endpoint }: FakeBrowser) =>
      client.delete('/push/subscriptions').send({ endpoint }).expect(204);
    await end(other, browser);
    expect(await subscriptionsOf(parley, agent)).toBe(1);
    await end(agent, browser);
    await end(agent, browser);
    expect(await subscriptionsOf(parley, agent)).toBe(0);
  });

  it('a browser that another agent of the organization uses now notifies only that agent', async () => {
    const { agent, browser } = await begin();
    const other = await signIn();
    await subscribe(other, browser);
    expect([await subscriptionsOf(parley, agent), await subscriptionsOf(parley, other)]).toEqual([0, 1]);
  });

  it.each([
    ['signing out', ({ client }: SignedInAgent) => client.delete('/session').expect(204)],
    [
      'disabling the agent',
      ({ id }: SignedInAgent) => tenant.admin.patch(`/agents/${id}`, { isEnabled: false }).expect(200),
    ],
    ['deleting the agent', ({ id }: SignedInAgent) => tenant.admin.delete(`/agents/${id}`).expect(204)],
  ])('a subscription ends by %s', async (_, end) => {
    const { agent } = await begin();
    await end(agent);
    await eventually(
      () => subscriptionsOf(parley, agent),
      (count) => count === 0,
    );
  });

  it('a new password ends the subscriptions of the other sessions', async () => {
    const agent = await signIn('correct horse battery');
    const elsewhere = await parley.signInAgain(tenant, agent.id);
    await subscribe(agent, service.browser());
    await subscribe(elsewhere, service.browser());
    const body = { current: 'correct horse battery', password: 'another horse battery' };
    await agent.client.put('/password', body).expect(204);
    await eventually(
      () => subscriptionsOf(parley, agent),
      (count) => count === 1,
    );
  });

  it('a subscription of a session that ended unnoticed is removed instead of used', async () => {
    const { agent, browser } = await begin();
    const { say } = await openChat(parley, tenant, agent);
    await parley.query("UPDATE agent_sessions SET expires_at = now() - interval '1 s' WHERE agent_id = $1", [agent.id]);
    await untilLapsed(parley, () => say('hello'));
    expect([await subscriptionsOf(parley, agent), browser.arrived.length]).toEqual([0, 0]);
  });

  it('notifications do not keep a session alive', async () => {
    const { agent, browser } = await begin();
    const { say } = await openChat(parley, tenant, agent);
    await parley.query("UPDATE agent_sessions SET last_used_at = now() - interval '11 h' WHERE agent_id = $1", [
      agent.id,
    ]);
    await say('hello');
    await browser.count(1);
    const [row] = await parley.query(
      'SELECT last_used_at < now() - interval \'10 h\' AS "isUnused" FROM agent_sessions WHERE agent_id = $1',
      [agent.id],
    );
    expect(row).toEqual({ isUnused: true });
  });

  it('the stored endpoint and keys are encrypted, and sealed again under a new SECRET_KEY', async () => {
    const { agent, browser } = await begin();
    const [row] = await parley.query<{ sealed: Buffer }>('SELECT sealed FROM push_subscriptions WHERE agent_id = $1', [
      agent.id,
    ]);
    expect(row!.sealed.toString('latin1')).not.toContain(browser.endpoint);
    const keys = { SECRET_KEY: 'another-secret-key-of-the-tests', SECRET_KEY_PREVIOUS: 'test-secret-key-of-the-tests' };
    const { resealed, unreadable } = await resealBatch(parley.database, keys, '', 100);
    expect([resealed > 1, unreadable]).toEqual([true, 0]);
    const next = await Parley.start({ ...service.environment, ...keys }, parley.databaseUrl);
    // The other node can't read what's sealed with the new key, and would delete it.
    await parley.app.get(PushOutbox).onModuleDestroy();
    try {
      const { publicKey } = (await next.agent(agent.token).get('/push').expect(200)).body;
      const { say } = await openChat(next, { ...tenant, bot: next.bot(tenant.token) }, agent);
      await say('under the new key');
      expect((await browser.count(1))[0]!.publicKey).toBe(publicKey);
    } finally {
      await next.stop();
    }
  });
});

describe('an endpoint in a network that is no longer allowed', () => {
  it('gets no request', async () => {
    const service = await PushService.start();
    const lenient = await Parley.start(service.environment);
    const tenant = await lenient.createTenant();
    const agent = await signInMember(lenient, tenant);
    const browser = service.browser();
    await subscribe(agent, browser);
    const strict = await Parley.start({}, lenient.databaseUrl);
    try {
      await lenient.app.get(PushOutbox).onModuleDestroy();
      const own = { ...agent, client: strict.agent(agent.token) };
      await (await openChat(strict, { ...tenant, bot: strict.bot(tenant.token) }, own)).say('hello');
      await strict.untilRow('SELECT FROM push_notifications WHERE attempts = 1');
      expect(browser.arrived).toEqual([]);
    } finally {
      await strict.stop();
      await lenient.stop();
      await service.close();
    }
  });
});

describe('VAPID_KEYS', () => {
  it('the newest is for new browsers, and earlier ones keep theirs', async () => {
    const service = await PushService.start();
    const [older, newer] = [webPush.generateVAPIDKeys(), webPush.generateVAPIDKeys()];
    const before = await Parley.start({ ...service.environment, VAPID_KEYS: older.privateKey });
    let after: Parley | undefined;
    try {
      const tenant = await before.createTenant();
      const agent = await signInMember(before, tenant);
      const [first, second] = [service.browser(), service.browser()];
      expect((await agent.client.get('/push').expect(200)).body.publicKey).toBe(older.publicKey);
      await subscribe(agent, first);
      const keys = `${newer.privateKey}, ${older.privateKey}`;
      after = await Parley.start({ ...service.environment, VAPID_KEYS: keys }, before.databaseUrl);
      const client = after.agent(agent.token);
      expect((await client.get('/push').expect(200)).body.publicKey).toBe(newer.publicKey);
      await subscribe({ ...agent, client }, second);
      // The browser says again what it has: it didn't subscribe again.
      await subscribe({ ...agent, client }, first);
      // The other node doesn't know the newer key, and would delete the subscription.
      await before.app.get(PushOutbox).onModuleDestroy();
      const { say } = await openChat(after, tenant, { ...agent, client });
      await say('hello');
      const [[ofFirst], [ofSecond]] = [await first.count(1), await second.count(1)];
      expect([ofFirst!.publicKey, ofSecond!.publicKey]).toEqual([older.publicKey, newer.publicKey]);
    } finally {
      await after?.stop();
      await before.stop();
      await service.close();
    }
  });
});
