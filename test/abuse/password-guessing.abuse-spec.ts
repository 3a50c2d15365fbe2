import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { until } from '../support/eventually.js';
import { Scrape } from '../support/scrape.js';
import { Stranger } from './support/ask.js';
import { Victim } from './support/victim.js';

const PASSWORD = 'correct horse battery';
const EMAIL = 'ada@example.com';
const METRICS_TOKEN = 'the-metrics-token-of-a-service-under-attack';
/** Failures that one address may have per minute. As many as are computed at a time may exceed it together. */
const FAILURES = 30;
const AT_ONCE = 2;

describe('password guessing', () => {
  let victim: Victim;
  let tenant: Awaited<ReturnType<Victim['createTenant']>>;
  let agentId: string;

  beforeAll(async () => {
    victim = await Victim.start({ METRICS_TOKEN, WRONG_TOKEN_LIMIT: '0' });
    tenant = await victim.createTenant();
    agentId = (await tenant.admin.post('/agents', { name: 'Ada', email: EMAIL }).expect(201)).body.id;
    await useLink(await mint(), PASSWORD).expect(201);
  });
  afterAll(() => victim.stop());

  const agents = (token?: string) => new Client(`${victim.url}/api/agent`, token);
  const mint = async () => {
    const { body } = await tenant.admin.post(`/agents/${agentId}/sign-in-links`, {}).expect(201);
    return new URL(body.url).hash.slice(1);
  };
  const useLink = (token: string, password?: string) =>
    agents().post('/session/link', { token, password, mode: 'token' });
  const hashes = async () => Number((await Scrape.of(victim.url, METRICS_TOKEN)).value('parley_password_hashes_total'));
  const guess = (stranger: Stranger, email: string) =>
    stranger.ask('POST', '/api/agent/session', undefined, { email, password: `${Math.random()}`, mode: 'token' });

  it('1,000 simultaneous guesses from one address are rejected before hashing, and delay no bot and no other agent', async () => {
    const stranger = new Stranger('127.0.2.2', victim.url);
    const before = await hashes();
    const flood = stranger.flood(1_000, (count) => guess(stranger, `agent${count}@example.com`));
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'hello' }).expect(200);
    await agents().post('/session', { email: EMAIL, password: PASSWORD, mode: 'token' }).expect(201);
    const counts = await flood;
    expect((await hashes()) - before).toBeLessThanOrEqual(FAILURES + AT_ONCE + 1);
    expect(counts[401]).toBeLessThanOrEqual(FAILURES + AT_ONCE);
    // Guesses that waited too long for their turn are answered 503.
    expect((counts[401] ?? 0) + (counts[429] ?? 0) + (counts[503] ?? 0)).toBe(1_000);
    expect(counts[429]).toBeGreaterThan(counts[503] ?? 0);
    const { status, retryAfter } = await guess(stranger, 'other@example.com');
    expect([status, retryAfter > 0, retryAfter <= 60]).toEqual([429, true, true]);
    stranger.close();
  });

  it('guesses for one agent from many networks are rejected before hashing, except where the agent has signed in before', async () => {
    const hash = `sha256('${EMAIL}'::bytea)`;
    const before = await hashes();
    await victim.database.query(
      `INSERT INTO sign_in_failures VALUES (${hash}, '', 101, now(), now() + interval '15 minutes')
       ON CONFLICT (email_hash, source_network) DO UPDATE SET failures = 101, blocked_until = EXCLUDED.blocked_until`,
    );
    for (let network = 1; network <= 20; network++) {
      const stranger = new Stranger(`127.1.${network}.1`, victim.url);
      expect((await guess(stranger, EMAIL)).status).toBe(429);
      stranger.close();
    }
    expect(await hashes()).toBe(before);
    await agents().post('/session', { email: EMAIL, password: PASSWORD, mode: 'token' }).expect(201);
  });

  it('guesses fill neither the audit log nor the table of failures without bound', async () => {
    const stranger = new Stranger('127.0.3.3', victim.url);
    await stranger.flood(60, () => guess(stranger, EMAIL));
    stranger.close();
    const count = async (statement: string) => (await victim.database.query(statement)).rows.length;
    expect(await count(`SELECT FROM audit_entries WHERE action = 'session.failed'`)).toBeLessThanOrEqual(20);
    // One row per address that was tried: for its network, and for all networks.
    expect(await count('SELECT FROM sign_in_failures')).toBeLessThanOrEqual(2 * (FAILURES + AT_ONCE) + 10);
  });

  it("guesses from very many networks can't lock out an agent with a known network, a session, or a link", async () => {
    let isOver = false;
    const storm = Array.from({ length: 150 }, async (_, network) => {
      const stranger = new Stranger(`127.2.${network}.1`, victim.url);
      const statuses: number[] = [];
      for (let count = 0; !isOver; count++) {
        statuses.push((await guess(stranger, `agent${count}@${network}.example.com`)).status);
      }
      stranger.close();
      return statuses;
    });
    try {
      await until('more than a hundred wait', async () => {
        const queue = await Scrape.of(victim.url, METRICS_TOKEN);
        return queue.value('parley_queue_depth', { queue: 'password' })! > 100;
      });
      const signIn = { email: EMAIL, password: PASSWORD, mode: 'token' };
      const { token } = (await agents().post('/session', signIn).expect(201)).body;
      await agents(token).put('/password', { current: PASSWORD, password: 'another horse battery' }).expect(204);
      await useLink(await mint(), PASSWORD).expect(201);
    } finally {
      isOver = true;
    }
    const statuses = (await Promise.all(storm)).flat();
    expect(statuses.filter((status) => status !== 401 && status !== 503)).toEqual([]);
  });
});
