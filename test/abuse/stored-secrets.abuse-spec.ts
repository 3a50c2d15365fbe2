import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import pg from 'pg';
import { deriveKey } from '../../src/platform/lib/secrets.js';
import { Client } from '../support/client.js';
import { signIdentity } from '../support/identity.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually, until } from '../support/eventually.js';
import { ServiceProcess, temporaryDirectory } from '../support/process.js';
import { freePort } from '../support/ports.mjs';
import { type Received, Receiver } from '../support/receiver.js';

const SECRET_KEY = 'secret-key-of-the-sealed-secrets';
const ADMIN_TOKEN = 'admin-token-of-the-sealed-secrets';

/** The format of earlier releases: nothing but nonce, tag, and ciphertext. */
function sealAsBefore(purpose: string, secret: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(SECRET_KEY, purpose), nonce);
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
}

/** Whether an event was signed with this secret. */
function isSignedWith(secret: string, { headers, body }: Received): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return headers['webhook-signature']!.split(' ').includes(signature);
}

describe('an attacker who can write to the database', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let service: ServiceProcess;
  let receiver: Receiver;
  let url: string;

  beforeAll(async () => {
    [database, receiver] = await Promise.all([createDatabase(), Receiver.start()]);
    client = new pg.Client(database.url);
    await client.connect();
    const PORT = await freePort();
    url = `http://127.0.0.1:${PORT}`;
    service = await ServiceProcess.start({
      SECRET_KEY,
      ADMIN_TOKEN,
      PORT,
      DATABASE_URL: database.url,
      DATA_DIR: temporaryDirectory(),
      DEMO: '0',
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
      WEBHOOK_RETRY_SECONDS: '0.2,0.2,600',
    });
  });
  afterAll(async () => {
    await service.kill('SIGTERM');
    await client.end();
    await receiver.close();
    await database.drop();
  });

  const createTenant = async () => {
    const { body } = await new Client(`${url}/api/admin/organizations`, ADMIN_TOKEN).post('', { name: 'Acme' });
    const admin = new Client(`${url}/api/admin/organizations/${body.id}`, ADMIN_TOKEN);
    const { body: bot } = await admin.post('/bots', { name: 'Bot' }).expect(201);
    const { body: token } = await admin.post(`/bots/${bot.id}/tokens`, {}).expect(201);
    const { body: chat } = await admin.post('/chats', {}).expect(201);
    const { id, widgetKey, identitySecret } = body as Record<string, string>;
    const say = (content: string) =>
      new Client(`${url}/api/bot`, token.token).post('/messages', { chatId: chat.id, content }).expect(200);
    const createWebhook = async (path: string) =>
      (await admin.post('/webhooks', { url: receiver.url + path }).expect(201)).body as { id: string; secret: string };
    return { id: id!, widgetKey: widgetKey!, identitySecret: identitySecret!, admin, say, createWebhook };
  };
  type Tenant = Awaited<ReturnType<typeof createTenant>>;

  const beginSession = async ({ widgetKey }: Tenant, identitySecret: string) => {
    const body = { widgetKey, identity: await signIdentity({ identitySecret }, { sub: 'vera' }) };
    return new Client(`${url}/api/visitor`).post('/sessions', body);
  };
  const copyIdentity = (from: Tenant, to: Tenant, cut = 0) =>
    client.query(
      `UPDATE organizations SET identity_secret =
        (SELECT substr(identity_secret, 1 + $3::integer) FROM organizations WHERE id = $1) WHERE id = $2`,
      [from.id, to.id, cut],
    );
  const deliveriesOf = async ({ admin }: Tenant, webhookId: string) => {
    const { body } = await admin.get(`/webhooks/${webhookId}/deliveries`).expect(200);
    return body.deliveries as { attempts: { error: string | null }[] }[];
  };

  // The first four bytes mark a sealed secret that is bound to its row.
  it.each([0, 4])(
    "an identity secret copied to another organization's row doesn't open, with %d bytes cut off",
    async (cut) => {
      const [attacker, victim] = [await createTenant(), await createTenant()];
      await copyIdentity(attacker, victim, cut);
      const forged = await beginSession(victim, attacker.identitySecret);
      expect([forged.status, forged.body.code]).toEqual([401, 'unauthorized']);
      expect((await beginSession(victim, victim.identitySecret)).status).toBe(401);
      const isLogged = () => service.output.includes("could not decrypt an organization's identity secret");
      await until('the log says so', isLogged);
      expect(service.output).toContain(victim.id);
      expect((await beginSession(attacker, attacker.identitySecret)).status).toBe(201);
      const anonymous = await new Client(`${url}/api/visitor`).post('/sessions', { widgetKey: victim.widgetKey });
      expect(anonymous.status).toBe(201);
    },
  );

  it('a webhook secret copied to another row sends nothing and is reported, and other webhooks continue', async () => {
    const tenant = await createTenant();
    const [mine, other] = [await tenant.createWebhook('/mine'), await tenant.createWebhook('/other')];
    await client.query('UPDATE webhooks SET secret = (SELECT secret FROM webhooks WHERE id = $1) WHERE id = $2', [
      mine.id,
      other.id,
    ]);
    for (const content of ['one', 'two', 'three']) await tenant.say(content);
    const arrived = (path: string) => receiver.received.filter((received) => received.path.endsWith(path));
    await receiver.until(() => arrived('/mine').length === 3);
    expect(arrived('/mine').every((received) => isSignedWith(mine.secret, received))).toBe(true);
    const [delivery] = await eventually(
      () => deliveriesOf(tenant, other.id),
      (deliveries) => deliveries.length === 3 && deliveries.every(({ attempts }) => attempts.length > 0),
    );
    expect(delivery!.attempts[0]!.error).toMatch(/^refused: its secret cannot be opened/);
    expect(arrived('/other')).toEqual([]);
    expect(service.output).toContain("could not decrypt a webhook's secret");
    const { body: ping } = await tenant.admin.post(`/webhooks/${other.id}/ping`).expect(200);
    expect(ping).toMatchObject({ status: null, error: expect.stringMatching(/cannot be opened/) });

    // A new secret solves it immediately.
    const { body: rotated } = await tenant.admin.post(`/webhooks/${other.id}/rotate-secret`).expect(200);
    await tenant.admin.patch(`/webhooks/${other.id}`, { isEnabled: true }).expect(200);
    await receiver.until(() => arrived('/other').length === 3);
    expect(arrived('/other').every((received) => isSignedWith(rotated.secret, received))).toBe(true);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  });

  it('doctor finds secrets that earlier releases sealed, even after a rotation', async () => {
    const tenant = await createTenant();
    const webhook = await tenant.createWebhook('/before');
    const before = { identity: `prl_ids_${'i'.repeat(40)}`, webhook: `whsec_${randomBytes(32).toString('base64')}` };
    await client.query('UPDATE organizations SET identity_secret = $2 WHERE id = $1', [
      tenant.id,
      sealAsBefore('identity secrets', before.identity),
    ]);
    await client.query('UPDATE webhooks SET secret = $2 WHERE id = $1', [
      webhook.id,
      sealAsBefore('webhook secrets', before.webhook),
    ]);
    expect((await beginSession(tenant, before.identity)).status).toBe(201);
    const arrived = () => receiver.received.filter(({ path }) => path.endsWith('/before'));
    await tenant.say('before');
    await receiver.until(() => arrived().length === 1);
    const { body: rotated } = await tenant.admin.post(`/webhooks/${webhook.id}/rotate-secret`).expect(200);
    await tenant.say('after');
    await receiver.until(() => arrived().length === 2);
    expect(isSignedWith(before.webhook, arrived()[0]!)).toBe(true);
    for (const secret of [before.webhook, rotated.secret]) expect(isSignedWith(secret, arrived()[1]!)).toBe(true);
  });
});
