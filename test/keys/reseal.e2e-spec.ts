import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { judgeKey, storeCheck } from '../../src/platform/database/key/key-check.js';
import { Cli } from '../support/cli.js';
import { CaptchaProvider } from '../support/captcha-provider.js';
import { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { signIdentity } from '../support/identity.js';
import { ADMIN_TOKEN, Parley, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';

const [FIRST, SECOND] = ['the-key-that-leaked', 'the-key-that-replaces-it'];
const LOCAL = { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' };

describe('parley secrets reseal', () => {
  const nodes: Parley[] = [];
  let receiver: Receiver;
  let provider: CaptchaProvider;

  beforeAll(async () => {
    receiver = await Receiver.start();
    provider = await CaptchaProvider.start();
  });
  afterEach(async () => {
    for (const node of nodes.splice(0).reverse()) await node.stop();
  });
  afterAll(async () => {
    await receiver.close();
    await provider.close();
  });

  const start = async (environment: NodeJS.ProcessEnv, databaseUrl?: string) => {
    const node = await Parley.start({ ...LOCAL, ...environment }, databaseUrl);
    nodes.push(node);
    return node;
  };
  const startOld = async () => {
    const old = await start({ SECRET_KEY: FIRST });
    await storeCheck(async (text, values) => old.query(text, values) as never, { SECRET_KEY: FIRST });
    return old;
  };
  const startBoth = ({ databaseUrl }: Parley) => start({ SECRET_KEY: SECOND, SECRET_KEY_PREVIOUS: FIRST }, databaseUrl);
  /** With all kinds of secrets: two of identities, a captcha's, and two of a webhook. */
  const createFull = async (node: Parley) => {
    const tenant = await node.createTenant();
    const captcha = { provider: 'TURNSTILE', siteKey: 'a-site-key', secret: 'the-secret', verifyUrl: provider.url };
    await tenant.admin.put('/captcha', captcha).expect(200);
    const { body: webhook } = await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
    await tenant.admin.post(`/webhooks/${webhook.id}/rotate-secret`, {}).expect(200);
    await tenant.admin.post('/rotate-identity-secret', {}).expect(200);
    return { tenant, webhookId: webhook.id as string };
  };
  const works = async (node: Parley, { tenant, webhookId }: { tenant: Tenant; webhookId: string }) => {
    await node.beginSession(tenant, { identity: await signIdentity(tenant, { sub: 'vera' }) }).expect(201);
    await node.beginSession(tenant, { visitor: { captcha: `solved-${node.url}` } }).expect(201);
    const { body } = await node.admin.post(`/${tenant.id}/webhooks/${webhookId}/ping`, {}).expect(200);
    expect(body.status).toBe(200);
    expect(receiver.received.at(-1)!.headers['webhook-signature']!.split(' ')).toHaveLength(2);
  };
  const readKey = async (node: Parley, SECRET_KEY: string) => {
    const [row] = await node.query<{ sealed: Buffer }>('SELECT sealed FROM secret_key_check');
    return judgeKey({ SECRET_KEY }, row!.sealed);
  };
  const reseal = (node: Parley, query = '') =>
    new Client(node.url, ADMIN_TOKEN).post(`/api/admin/secrets/reseal${query}`, {});

  it('encrypts everything with SECRET_KEY, so that the former key can go', async () => {
    const old = await startOld();
    const full = await createFull(old);
    const both = await startBoth(old);
    expect(await Cli.of(both).json('secrets', 'reseal')).toEqual({ resealed: 5, unreadable: 0 });
    expect(await Cli.of(both).say('secrets', 'reseal')).toMatch(/^0 secrets were encrypted with SECRET_KEY/);
    expect([await readKey(both, SECOND), await readKey(both, FIRST)]).toEqual(['current', 'other']);
    await works(await start({ SECRET_KEY: SECOND }, old.databaseUrl), full);
    await works(both, full);
    await eventually(
      () => request(old.url).get('/health/ready'),
      ({ status }) => status === 503,
    );
  });

  it('goes on where it was interrupted, and the database keeps its key until the end', async () => {
    const old = await startOld();
    for (let count = 0; count < 3; count++) await createFull(old);
    const both = await startBoth(old);
    const { body: first } = await reseal(both, '?limit=2').expect(200);
    expect(first).toEqual({ resealed: 10, unreadable: 0, nextCursor: expect.any(String) });
    expect(await readKey(both, FIRST)).toBe('current');
    const { body: second } = await reseal(both, `?limit=2&cursor=${first.nextCursor}`).expect(200);
    expect(second).toEqual({ resealed: 5, unreadable: 0, nextCursor: null });
    expect((await reseal(both).expect(200)).body).toEqual({ resealed: 0, unreadable: 0, nextCursor: null });
  });

  it('leaves what neither key opens, and counts it', async () => {
    const old = await startOld();
    const { tenant } = await createFull(old);
    const both = await startBoth(old);
    await old.query('UPDATE organizations SET identity_secret = $1', [Buffer.from('prl2 of a third key, long ago')]);
    expect((await reseal(both).expect(200)).body).toMatchObject({ resealed: 4, unreadable: 1 });
    const [row] = await old.query<{ text: string }>(
      `SELECT convert_from(identity_secret, 'UTF8') AS text FROM organizations WHERE id = $1`,
      [tenant.id],
    );
    expect(row!.text).toBe('prl2 of a third key, long ago');
    expect(await Cli.of(both).say('secrets', 'reseal')).toMatch(/1 secrets can't be read with either key/);
  });

  it('needs ADMIN_TOKEN, and a valid cursor', async () => {
    const node = await start({ SECRET_KEY: FIRST });
    const tenant = await node.createTenant();
    const admin = await node.signInAgent(tenant, { role: 'ADMIN' });
    await new Client(node.url, admin.token).post('/api/admin/secrets/reseal', {}).expect(403);
    await new Client(node.url).post('/api/admin/secrets/reseal', {}).expect(401);
    await reseal(node, '?cursor=%00').expect(400);
    await reseal(node, '?limit=51').expect(400);
  });
});
