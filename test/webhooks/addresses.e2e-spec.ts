import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/platform/config/config.js';
import { AddressGuard } from '../../src/platform/outbound/address-guard.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';

const SECRETS = { ADMIN_TOKEN: 'test-admin-token'.repeat(2), SECRET_KEY: 'test-secret-key'.repeat(3) };
const production = { ...SECRETS, NODE_ENV: 'production', DATABASE_URL: 'postgres://nowhere' };
const guard = (environment: NodeJS.ProcessEnv = {}) => new AddressGuard(loadConfig({ ...SECRETS, ...environment }));

/** The address that a connection to this name would use. */
const look = (addresses: AddressGuard, name: string) =>
  new Promise<string>((resolve) =>
    addresses.lookup(name, { all: true }, (error, found) =>
      resolve(error ? error.message : JSON.stringify((found as { address: string }[]).map(({ address }) => address))),
    ),
  );

const PRIVATE = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0x7f.1',
  '127.0.0.1.',
  '１２７.0.0.1',
  '0.0.0.0',
  '0',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '240.0.0.1',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:a9fe:a9fe]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'hook.localhost',
];

describe('webhook addresses', () => {
  let parley: Parley;
  let tenant: Tenant;
  let receiver: Receiver;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await receiver.close();
    await parley.stop();
  });

  it.each(PRIVATE)('saving %s is rejected, and the error names the variable', async (host) => {
    const body = { url: `http://${host}:${receiver.port}/` };
    const { body: problem } = await tenant.admin.post('/webhooks', body).expect(400);
    expect(problem.errors).toEqual([{ pointer: '/url', detail: expect.stringContaining('WEBHOOK_ALLOWED_HOSTS') }]);
  });

  // As if the URL had been saved under older rules: the connection is rejected too.
  it.each(PRIVATE)('a connection to %s is rejected', async (host) => {
    const { body: webhook } = await tenant.admin.post('/webhooks', { url: 'https://example.com' }).expect(201);
    const url = `http://${host}:${receiver.port}/`;
    await parley.query('UPDATE webhooks SET url = $2 WHERE id = $1', [webhook.id, url]);
    const { body: answer } = await tenant.admin.post(`/webhooks/${webhook.id}/ping`).expect(200);
    expect(answer).toMatchObject({ status: null, error: expect.stringContaining('WEBHOOK_ALLOWED_HOSTS') });
    expect(answer.error).toMatch(/^refused: /);
    expect(receiver.received).toEqual([]);
    await tenant.admin.delete(`/webhooks/${webhook.id}`).expect(204);
  });

  it('a host name is rejected for its addresses, when it connects', async () => {
    // This machine's name isn't known in advance, and leads to it.
    const { hostname } = await import('node:os');
    const addresses = guard();
    // The address isn't revealed: an organization could map the service's network with it.
    const refused = 'has no public address, and WEBHOOK_ALLOWED_HOSTS does not name it';
    expect(await look(addresses, 'localhost')).toBe(`localhost ${refused}`);
    const own = await look(addresses, hostname());
    expect(own).not.toMatch(/\d+\.\d+\.\d+\.\d+|::/);
    expect(own).toMatch(/has no public address|ENOTFOUND|EAI_AGAIN|no address/);
    expect(await look(guard({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.0/8' }), 'localhost')).toBe('["127.0.0.1"]');
  });

  it("a host name that doesn't exist is reported", async () => {
    const { body: webhook } = await tenant.admin.post('/webhooks', { url: 'http://no-such-host.invalid/' }).expect(201);
    const { body: answer } = await tenant.admin.post(`/webhooks/${webhook.id}/ping`).expect(200);
    expect(answer).toMatchObject({
      status: null,
      error: expect.stringMatching(/^host (?:not found|lookup failed)|^connection refused/),
    });
  });

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:{port}/', 200],
    ['127.0.0.1:{port}', 'http://127.0.0.1:{port}/', 200],
    ['127.0.0.1:1', 'http://127.0.0.1:{port}/', 400],
    ['10.0.0.0/8, 127.0.0.0/8', 'http://2130706433:{port}/', 200],
    ['::1,127.0.0.0/8', 'http://[::ffff:127.0.0.1]:{port}/', 200],
    ['localhost', 'http://localhost:{port}/', 200],
    ['LocalHost:{port}', 'http://localhost:{port}/', 200],
    ['localhost:1', 'http://localhost:{port}/', 400],
    ['localhost', 'http://127.0.0.1:{port}/', 400],
    ['10.0.0.0/8', 'http://127.0.0.1:{port}/', 400],
  ])('WEBHOOK_ALLOWED_HOSTS=%s answers %s with %i', async (allowed, url, status) => {
    const fill = (text: string) => text.replaceAll('{port}', String(receiver.port));
    const open = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: fill(allowed) }, parley.databaseUrl);
    const { body: organization } = await open.admin.post('', { name: 'Open' }).expect(201);
    const admin = open.admin.below(`/${organization.id}/webhooks`);
    const answer = await admin.post('', { url: fill(url) });
    expect(answer.status).toBe(status === 200 ? 201 : 400);
    if (status === 200) {
      const { body } = await admin.post(`/${answer.body.id}/ping`).expect(200);
      expect(body).toMatchObject({ status: 200, error: null });
    }
    await open.stop();
  });

  it('production requires https, except for the allowed hosts', () => {
    const fault = (url: string, allowed?: string) =>
      guard({ ...production, WEBHOOK_ALLOWED_HOSTS: allowed }).findFault(new URL(url));
    expect(fault('https://example.com')).toBeNull();
    expect(fault('http://example.com')).toBe('must use https, unless WEBHOOK_ALLOWED_HOSTS names example.com');
    expect(fault('http://bot:8080', 'bot')).toBeNull();
    expect(fault('http://bot:8080', 'bot:8080')).toBeNull();
    expect(fault('http://bot', 'bot:80')).toBeNull();
    expect(fault('http://bot:8080', 'bot:80')).toContain('must use https');
    expect(fault('http://10.0.0.7', '10.0.0.0/8')).toBeNull();
    expect(fault('http://[fd00::7]:1', 'fd00::/8')).toBeNull();
    expect(guard().findFault(new URL('http://example.com'))).toBeNull();
  });

  it.each(['a b', 'http://bot', 'bot:99999', '10.0.0.0/33', '*', 'bot,,x', 'user@bot', '10/8'])(
    'WEBHOOK_ALLOWED_HOSTS=%s stops the start',
    (allowed) => {
      expect(() => guard({ WEBHOOK_ALLOWED_HOSTS: allowed })).toThrow(/^WEBHOOK_ALLOWED_HOSTS has an entry that is no/);
    },
  );

  it.each(['x', '5,', '-1', '1e3', '99999999', Array(51).fill(1).join(',')])(
    'WEBHOOK_RETRY_SECONDS=%s stops the start',
    (seconds) => {
      expect(() => loadConfig({ ...SECRETS, WEBHOOK_RETRY_SECONDS: seconds })).toThrow(
        /^WEBHOOK_RETRY_SECONDS must be/,
      );
    },
  );
});
