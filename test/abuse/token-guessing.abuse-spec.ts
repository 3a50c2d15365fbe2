import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { makeToken } from '../../src/auth/context/token-format.js';
import { until } from '../support/eventually.js';
import { Scrape } from '../support/scrape.js';
import { Stranger } from './support/ask.js';
import { RawSocket } from './support/raw-socket.js';
import { Victim } from './support/victim.js';

const LIMIT = 20;
const METRICS_TOKEN = 'the-metrics-token-of-a-service-under-attack';

/** Each way to guess a token: the request, and where the token is. */
const GUESSES: Record<string, (stranger: Stranger, widgetKey: string) => ReturnType<Stranger['ask']>> = {
  'the admin token': (stranger) => stranger.ask('GET', '/api/admin/organizations', 'guess'),
  'an access token': (stranger) => stranger.ask('GET', '/api/bot/groups', makeToken('prl_pat_')),
  'an access token that cannot be one': (stranger) => stranger.ask('GET', '/api/bot/groups', 'guess'),
  'a session of an agent': (stranger) => stranger.ask('GET', '/api/agent/session', makeToken('prl_ags_')),
  'a session of an administrator': (stranger) => stranger.ask('GET', '/api/admin/organizations', makeToken('prl_ags_')),
  'a visitor token': (stranger) => stranger.ask('GET', '/api/visitor/chats', 'a.b.c'),
  'a visitor token to renew': (stranger, widgetKey) =>
    stranger.ask('POST', '/api/visitor/sessions', 'a.b.c', { widgetKey }),
  'an identity': (stranger, widgetKey) =>
    stranger.ask('POST', '/api/visitor/sessions', undefined, { widgetKey, identity: 'a.b.c' }),
  'the metrics token': (stranger) => stranger.ask('GET', '/metrics', 'guess'),
};

describe('guesses and floods from one address', () => {
  let victim: Victim;
  let tenant: Awaited<ReturnType<Victim['createTenant']>>;
  let last = 1;
  const strangers: Stranger[] = [];

  beforeAll(async () => {
    victim = await Victim.start({
      WRONG_TOKEN_LIMIT: String(LIMIT),
      NEW_VISITOR_LIMIT: String(LIMIT),
      METRICS_TOKEN,
    });
    tenant = await victim.createTenant();
  });
  afterAll(() => victim.stop());
  afterEach(() => strangers.splice(0).forEach((stranger) => stranger.close()));

  const newStranger = () => {
    const stranger = new Stranger(`127.0.1.${++last}`, victim.url);
    strangers.push(stranger);
    return stranger;
  };

  it.each(Object.entries(GUESSES))('guesses of %s are rate-limited', async (_, guess) => {
    const stranger = newStranger();
    const counts = await stranger.flood(LIMIT * 5, () => guess(stranger, tenant.widgetKey));
    expect(Object.keys(counts).sort()).toEqual(['401', '429']);
    // Simultaneous guesses may pass together.
    expect(counts[401]).toBeLessThan(LIMIT * 2);
    const { body, retryAfter } = await guess(stranger, tenant.widgetKey);
    expect(body).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
    // Another address isn't affected.
    expect((await guess(newStranger(), tenant.widgetKey)).status).toBe(401);
  });

  it('a valid secret from the address of a flood is accepted, whether or not it was used before', async () => {
    const stranger = newStranger();
    const right = async () => {
      const { body: created } = await tenant.admin.post(`/bots/${tenant.botId}/tokens`, {}).expect(201);
      const answers = [
        await stranger.ask('GET', '/api/admin/organizations', 'the-admin-token-of-a-service-under-attack'),
        await stranger.ask('GET', '/metrics', METRICS_TOKEN),
        await stranger.ask('GET', '/api/bot/groups', tenant.token),
        await stranger.ask('GET', '/api/bot/groups', created.token),
        await stranger.ask('GET', '/api/visitor/chats', tenant.visitorToken),
      ];
      return answers.map(({ status }) => status);
    };
    const flood = stranger.flood(LIMIT * 50, () => GUESSES['an access token']!(stranger, ''));
    expect(await right()).toEqual([200, 200, 200, 200, 200]);
    await flood;
    expect(await right()).toEqual([200, 200, 200, 200, 200]);
    expect((await stranger.ask('GET', '/api/bot/groups', makeToken('prl_pat_'))).status).toBe(429);
  });

  it('guesses over sockets are rate-limited', async () => {
    const codes: string[] = [];
    for (let count = 0; count < LIMIT * 2; count++) {
      const socket = await RawSocket.open(victim.url, '127.0.1.1');
      socket.say('40/visitor,{"token":"a.b.c"}');
      codes.push(/"code":"(\w+)"/.exec(await socket.hears(/^44\/visitor/))![1]!);
      socket.close();
    }
    expect(codes.slice(0, LIMIT)).toEqual(codes.slice(0, LIMIT).fill('unauthorized'));
    expect(codes.slice(LIMIT)).toEqual(codes.slice(LIMIT).fill('rate_limited'));
  });

  it('an address can start a limited number of visitors and chats', async () => {
    const stranger = newStranger();
    const begin = () => stranger.ask('POST', '/api/visitor/sessions', undefined, { widgetKey: tenant.widgetKey });
    const { body } = await begin();
    expect(await stranger.flood(LIMIT * 3, begin)).toEqual({ 201: LIMIT - 1, 429: LIMIT * 2 + 1 });
    // A visitor with a session can continue.
    const renewed = await stranger.ask('POST', '/api/visitor/sessions', body.token, { widgetKey: tenant.widgetKey });
    expect(renewed.status).toBe(201);
    const chat = await stranger.ask('POST', '/api/visitor/chats', body.token, {});
    expect(chat.status).toBe(201);
    const closeAll = () =>
      victim.database.query(`UPDATE chats SET status = 'CLOSED' WHERE visitor_id = $1`, [body.visitor.id]);
    for (let count = 1; count < LIMIT; count++) {
      await victim.database.query(`UPDATE chats SET status = 'CLOSED' WHERE visitor_id = $1`, [
        renewed.body.visitor.id,
      ]);
      expect((await stranger.ask('POST', '/api/visitor/chats', body.token, {})).status).toBe(201);
    }
    await closeAll();
    expect((await stranger.ask('POST', '/api/visitor/chats', body.token, {})).status).toBe(429);
  });

  it('metrics count rejected requests by reason', async () => {
    // A scrape may be a second old.
    const isShown = async (limit: string) => {
      const scrape = await Scrape.of(victim.url, METRICS_TOKEN);
      return Number(scrape.value('parley_rate_limited_total', { limit })) > 0;
    };
    for (const limit of ['wrong_tokens', 'new_visitors', 'new_chats']) await until(limit, () => isShown(limit));
  });
});
