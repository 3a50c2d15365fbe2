import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { Parley, type Tenant } from '../support/parley.js';

const LIMIT = 3;

describe('client addresses behind proxies', () => {
  let parley: Parley;
  let listed: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start({ TRUST_PROXY: '1', WRONG_TOKEN_LIMIT: String(LIMIT) });
    const list = { TRUST_PROXY: 'loopback, 10.0.0.0/8', WRONG_TOKEN_LIMIT: String(LIMIT) };
    listed = await Parley.start(list, parley.databaseUrl);
    tenant = await parley.createTenant();
  });
  afterAll(async () => {
    await listed.stop();
    await parley.stop();
  });

  const guess = async (forwardedFor: string, service = parley) => {
    const asked = new Client(`${service.url}/api/bot`, 'wrong').get('/groups').set('X-Forwarded-For', forwardedFor);
    return (await asked).status;
  };
  const guesses = async (addresses: string[], service = parley) => {
    const statuses: number[] = [];
    for (const address of addresses) statuses.push(await guess(address, service));
    return statuses;
  };
  const REFUSED_AFTER_LIMIT = [401, 401, 401, 429];

  it.each([
    ['an address with ports', ['198.51.100.1:1000', '198.51.100.1:1001', '198.51.100.1', '198.51.100.1:1002']],
    ['an IPv6 address with ports', ['[2001:db8::1]:1', '[2001:db8::1]:2', '2001:db8::1', '[2001:db8::2]']],
    ['an address with zones', ['2001:db8:1::1%a-b', '2001:db8:1::1%eth0.10', '2001:db8:1::2', '2001:db8:1::1']],
    ['texts that are no address', ['x1', 'x2', 'unknown', '_hidden']],
    ['numbers and short forms, which are no address', ['1', '2', '0x7f000001', '127.1']],
  ])("the client's address is the same for %s", async (_, addresses) => {
    // Texts that aren't addresses count for the proxy, like its own requests: each row has its own proxy, or its own
    // minute.
    const service = await Parley.start({ TRUST_PROXY: '1', WRONG_TOKEN_LIMIT: String(LIMIT) }, parley.databaseUrl);
    try {
      expect(await guesses(addresses, service)).toEqual(REFUSED_AFTER_LIMIT);
    } finally {
      await service.stop();
    }
  });

  it("the client's address is found behind trusted proxies that add a port", async () => {
    const behind = (client: string) => `${client}, 10.1.2.3:4711`;
    expect(await guesses(['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4'].map(behind), listed)).toEqual([
      401, 401, 401, 401,
    ]);
    expect(await guess(behind('203.0.113.1:99'), listed)).toBe(401);
    expect(await guess(behind('203.0.113.1:98'), listed)).toBe(401);
    expect(await guess(behind('203.0.113.1'), listed)).toBe(429);
  });

  it("the client's address may have any zone on the way to a socket", async () => {
    for (const address of ['::1%a-b', 'fe80::1%br-1a2b3c', 'fe80::1%eth0.10']) {
      const url = `${parley.url}/socket.io/?EIO=4&transport=polling`;
      expect((await fetch(url, { headers: { 'X-Forwarded-For': address } })).status).toBe(200);
    }
  });

  it('sockets and requests see the same client address', async () => {
    const connect = async (port: number) => {
      const extraHeaders = { 'X-Forwarded-For': `198.51.100.9:${port}` };
      return parley
        .connectVisitor('a.b.c', { extraHeaders })
        .catch((error: { data: { code: string } }) => error.data.code);
    };
    expect([await connect(1), await connect(2), await connect(3), await connect(4)]).toEqual([
      'unauthorized',
      'unauthorized',
      'unauthorized',
      'rate_limited',
    ]);
  });

  it("the audit log has the client's address without a port", async () => {
    const agent = await parley.signInAgent(tenant);
    const token = await parley.mintLink(tenant, agent.id);
    const from = parley.agent().post('/session/link', { token, mode: 'token' });
    await from.set('X-Forwarded-For', '198.51.100.77:5000').expect(201);
    const [row] = await parley.query<{ network: string }>(
      `SELECT source_network AS network FROM agent_sessions WHERE agent_id = $1 ORDER BY created_at DESC LIMIT 1`,
      [agent.id],
    );
    const [entry] = await parley.query<{ address: string }>(
      `SELECT source_address AS address FROM audit_entries WHERE target = $1 AND action = 'session.created' ORDER BY at DESC LIMIT 1`,
      [agent.id],
    );
    expect([row!.network, entry!.address]).toEqual(['198.51.100.0/24', '198.51.100.77']);
  });
});
