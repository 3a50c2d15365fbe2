import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { AuthRetention } from '../../src/auth/auth-retention.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { Scrape } from '../support/scrape.js';

const PASSWORD = 'correct horse battery';

describe('rate limits of failed sign-ins', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    // Tests set the address that they come from.
    parley = await Parley.start({ TRUST_PROXY: 'loopback' });
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  const from = (address: string, path: string, body: object) =>
    request(`${parley.url}/api/agent`)
      .post(path)
      .set('X-Forwarded-For', address)
      .send({ mode: 'token', ...body });
  const signIn = (address: string, { email }: { email: string }, password = PASSWORD) =>
    from(address, '/session', { email, password });
  const hashes = async () => Number((await Scrape.of(parley.url)).value('parley_password_hashes_total'));
  // As if these failures had happened.
  const failures = (email: string, network: string, count: number, blockedFor: string | null) =>
    parley.query(
      `INSERT INTO sign_in_failures VALUES (sha256($1::text::bytea), $2, $3, now(), now() + $4::interval)
       ON CONFLICT (email_hash, source_network) DO UPDATE SET failures = $3, blocked_until = now() + $4::interval`,
      [email.toLowerCase(), network, count, blockedFor],
    );
  const retryAfter = async (attempt: PromiseLike<request.Response>) => {
    const { status, headers, body } = await attempt;
    expect([status, body.code]).toEqual([429, 'rate_limited']);
    return Number(headers['retry-after']);
  };

  describe('by email and network', () => {
    let agent: SignedInAgent;

    it('after 11 failures even the right password is rejected, and the wait doubles up to 15 minutes', async () => {
      agent = await parley.signInAgent(tenant, { password: PASSWORD });
      for (let failure = 1; failure <= 11; failure++) await signIn('192.0.2.1', agent, 'wrong').expect(401);
      const before = await hashes();
      const first = await retryAfter(signIn('192.0.2.1', agent));
      expect([first > 50, first <= 60]).toEqual([true, true]);
      await retryAfter(signIn('192.0.2.255', agent));
      expect(await hashes()).toBe(before);
      const waits: number[] = [];
      for (let failure = 12; failure <= 16; failure++) {
        await parley.query(`UPDATE sign_in_failures SET blocked_until = now() - interval '1 second'`);
        await signIn('192.0.2.1', agent, 'wrong').expect(401);
        waits.push(Math.ceil((await retryAfter(signIn('192.0.2.1', agent))) / 60));
      }
      expect(waits).toEqual([2, 4, 8, 15, 15]);
    });

    it("other networks and existing sessions aren't affected", async () => {
      await agent.client.get('/session').expect(200);
      await signIn('198.51.100.1', agent).expect(201);
    });

    it('a link always works, and resets the limit', async () => {
      await retryAfter(signIn('192.0.2.1', agent));
      const token = await parley.mintLink(tenant, agent.id);
      await from('192.0.2.1', '/session/link', { token }).expect(201);
      await signIn('192.0.2.1', agent).expect(201);
    });

    it('the right password resets the limit for its network', async () => {
      const one = await parley.signInAgent(tenant, { password: PASSWORD });
      await failures(one.email, '203.0.113.0/24', 9, null);
      await signIn('203.0.113.1', one).expect(201);
      await signIn('203.0.113.1', one, 'wrong').expect(401);
      await retryAfter(signIn('203.0.113.1', one, 'wrong'));
      await signIn('203.0.113.1', one).expect(201);
    });

    it("an agent of another organization with the same email doesn't reset the limit", async () => {
      const one = await parley.signInAgent(tenant, { password: PASSWORD });
      const elsewhere = await parley.createTenant();
      const { body: twin } = await elsewhere.admin.post('/agents', { name: 'Twin', email: one.email }).expect(201);
      await failures(one.email, '203.0.113.0/24', 11, '1 minute');
      const token = await parley.mintLink(elsewhere, twin.id);
      await from('203.0.113.1', '/session/link', { token }).expect(201);
      await retryAfter(signIn('203.0.113.1', one));
    });

    it('the limit is forgotten 15 minutes after its last block', async () => {
      const one = await parley.signInAgent(tenant, { password: PASSWORD });
      await failures(one.email, '203.0.113.0/24', 14, '-15 minutes -1 second');
      await parley.query(`UPDATE sign_in_failures SET window_began_at = now() - interval '1 hour'`);
      await signIn('203.0.113.1', one, 'wrong').expect(401);
      await signIn('203.0.113.1', one).expect(201);
    });

    it('IPv6 networks are counted by 48 bits', async () => {
      const one = await parley.signInAgent(tenant, { password: PASSWORD });
      await failures(one.email, '2001:db8:1::/48', 11, '1 minute');
      await retryAfter(signIn('2001:db8:1:ffff::1', one));
      await signIn('2001:db8:2::1', one).expect(201);
    });
  });

  describe('for all networks together', () => {
    it('after 100 failures an email is blocked from networks without a sign-in in the last 30 days', async () => {
      const agent = await parley.signInAgent(tenant, { password: PASSWORD });
      await signIn('198.51.100.7', agent).expect(201);
      // Their own sign-in is among them, and forgiven.
      await failures(agent.email, '', 101, null);
      await signIn('192.0.2.77', agent, 'wrong').expect(401);
      await retryAfter(signIn('203.0.113.77', agent));
      await signIn('198.51.100.9', agent).expect(201);
      const age = `UPDATE agent_sessions SET created_at = now() - interval '30 days 1 second' WHERE agent_id = $1`;
      await parley.query(age, [agent.id]);
      await retryAfter(signIn('198.51.100.9', agent));
    });

    it('a network stays known after its session has ended', async () => {
      const agent = await parley.signInAgent(tenant, { password: PASSWORD });
      const { body } = await signIn('198.51.100.7', agent).expect(201);
      await parley.agent(body.token).delete('/session').expect(204);
      await failures(agent.email, '', 101, '1 minute');
      await signIn('198.51.100.7', agent).expect(201);
    });
  });

  it('one source address is blocked after 30 failures a minute, with links and passwords, before hashing', async () => {
    const agent = await parley.signInAgent(tenant, { password: PASSWORD });
    for (let failure = 0; failure < 28; failure++)
      await from('192.0.2.200', '/session/link', { token: 'x' }).expect(401);
    for (let time = 0; time < 3; time++) await signIn('192.0.2.200', agent).expect(201);
    for (const email of ['a@example.com', 'b@example.com']) await signIn('192.0.2.200', { email }).expect(401);
    const before = await hashes();
    const wait = await retryAfter(signIn('192.0.2.200', agent));
    expect([wait > 0, wait <= 60]).toEqual([true, true]);
    await retryAfter(from('192.0.2.200', '/session/link', { token: 'x' }));
    // A link can't be guessed, so a valid one isn't rejected.
    await from('192.0.2.200', '/session/link', { token: await parley.mintLink(tenant, agent.id) }).expect(201);
    await retryAfter(
      request(`${parley.url}/api/agent`)
        .put('/password')
        .set({ 'X-Forwarded-For': '192.0.2.200', Authorization: `Bearer ${agent.token}` })
        .send({ current: PASSWORD, password: PASSWORD }),
    );
    expect(await hashes()).toBe(before);
    await signIn('192.0.2.201', agent).expect(201);
  });

  it('a wrong current password counts as a failure', async () => {
    const agent = await parley.signInAgent(tenant, { password: PASSWORD });
    await failures(agent.email, '127.0.0.0/24', 10, null);
    await agent.client.put('/password', { current: 'wrong', password: PASSWORD }).expect(403);
    await agent.client.put('/password', { current: PASSWORD, password: PASSWORD }).expect(429);
  });

  it('failures are kept for a day at most', async () => {
    await failures('someone@example.com', '', 5, null);
    const later = new Date(Date.now() + 86_401_000);
    await parley.app.get(AuthRetention).removeExpired(later);
    expect(await parley.query('SELECT FROM sign_in_failures')).toEqual([]);
  });
});
