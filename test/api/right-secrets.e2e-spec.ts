import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { makeToken } from '../../src/auth/context/token-format.js';
import { Client } from '../support/client.js';
import { signIdentity } from '../support/identity.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { VisitorSocket } from '../support/visitor.js';

const LIMIT = 20;
const LONG_ADMIN_TOKEN = 'an-admin-token-of-32-characters!';
const LONG_METRICS_TOKEN = 'a-metrics-token-of-32-characters';
/** Failed sign-ins that one address may have per minute. */
const SIGN_IN_FAILURES = 30;
const PASSWORD = 'correct horse battery';

// All requests of a test come from one address. The second node hasn't seen any of the tokens before.
describe('valid secrets from an address that sent too many wrong ones', () => {
  let parley: Parley;
  let limited: Parley;
  let tenant: Tenant;
  let agent: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
    const secrets = { ADMIN_TOKEN: LONG_ADMIN_TOKEN, METRICS_TOKEN: LONG_METRICS_TOKEN };
    limited = await Parley.start({ ...secrets, WRONG_TOKEN_LIMIT: String(LIMIT) }, parley.databaseUrl);
    tenant = await parley.createTenant();
    agent = await parley.signInAgent(tenant, { role: 'ADMIN', password: PASSWORD });
    for (let count = 0; count < LIMIT; count++) await ask('/api/bot/groups', makeToken('prl_pat_')).expect(401);
  });
  afterAll(async () => {
    await limited.stop();
    await parley.stop();
  });

  const ask = (path: string, token: string) => new Client(limited.url, token).get(path);

  it.each([
    ['ADMIN_TOKEN', () => ask('/api/admin/organizations', LONG_ADMIN_TOKEN)],
    ['METRICS_TOKEN', () => ask('/metrics', LONG_METRICS_TOKEN)],
    ['an access token', () => ask('/api/bot/groups', tenant.token)],
    ['a session of an agent', () => ask('/api/agent/session', agent.token)],
    [
      'a session in a cookie',
      () => request(limited.url).get('/api/agent/session').set('Cookie', `parley=${agent.token}`),
    ],
    ['a session of an administrator', () => ask(`/api/admin/organizations/${tenant.id}`, agent.token)],
    ["a visitor's token", () => ask('/api/visitor/chats', tenant.visitorToken)],
  ])('%s is accepted from a rate-limited address', async (_, right) => {
    // Another session than an earlier row has used.
    agent = await parley.signInAgain(tenant, agent.id);
    expect((await right()).status).toBe(200);
  });

  it("a visitor's session and identity are accepted from a rate-limited address", async () => {
    await limited.beginSession(tenant, {}, tenant.visitorToken).expect(201);
    await limited.beginSession(tenant, { identity: await signIdentity(tenant, { sub: 'u1' }) }).expect(201);
  });

  it("an agent's session and a visitor token are accepted over sockets from a rate-limited address", async () => {
    const { token } = await parley.signInAgain(tenant, agent.id);
    (await VisitorSocket.connect(limited.url, token, {}, 'agent')).close();
    (await VisitorSocket.connect(limited.url, tenant.visitorToken)).close();
  });

  it.each([
    ['ADMIN_TOKEN', '/api/admin/organizations', 'wrong'],
    ['METRICS_TOKEN', '/metrics', 'wrong'],
    ['an access token', '/api/bot/groups', makeToken('prl_pat_')],
    ['an access token that cannot be one', '/api/bot/groups', 'wrong'],
    ['a session of an agent', '/api/agent/session', makeToken('prl_ags_')],
    ["a visitor's token", '/api/visitor/chats', 'a.b.c'],
  ])('a wrong secret is rejected with 429: %s', async (_, path, token) => {
    const { body, headers } = await ask(path, token).expect(429);
    expect(body.code).toBe('rate_limited');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  it("a rate-limited address doesn't learn whether a guessable secret is right", async () => {
    const short = await Parley.start({ METRICS_TOKEN: 'short-one', WRONG_TOKEN_LIMIT: '1' }, parley.databaseUrl);
    try {
      const metrics = (token: string) => new Client(short.url, token).get('/metrics');
      await metrics('short-one').expect(200);
      await metrics('wrong').expect(401);
      await metrics('short-one').expect(429);
    } finally {
      await short.stop();
    }
  });

  it('a sign-in link is accepted after wrong links and passwords', async () => {
    const signIn = (path: string, body: object) => limited.agent().post(path, { mode: 'token', ...body });
    for (let count = 0; count < SIGN_IN_FAILURES; count++) {
      await signIn('/session/link', { token: makeToken('prl_lnk_') }).expect(401);
    }
    await signIn('/session/link', { token: makeToken('prl_lnk_') }).expect(429);
    await signIn('/session/link', { token: 'no link' }).expect(429);
    // Passwords can be guessed, so the right one has to wait.
    await signIn('/session', { email: agent.email, password: PASSWORD }).expect(429);
    await signIn('/session/link', { token: await parley.mintLink(tenant, agent.id) }).expect(201);
    const link = await parley.mintLink(tenant, agent.id);
    await signIn('/session/link', { token: link, password: 'another horse battery' }).expect(201);
    await signIn('/session/link', { token: link }).expect(429);
  });
});
