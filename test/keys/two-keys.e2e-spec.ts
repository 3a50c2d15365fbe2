import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { CaptchaProvider } from '../support/captcha-provider.js';
import { signIdentity } from '../support/identity.js';
import { Parley, type Tenant } from '../support/parley.js';
import { type Received, Receiver } from '../support/receiver.js';

const [FIRST, SECOND] = ['the-first-of-two-keys', 'the-second-of-two-keys'];
const PASSWORD = 'correct horse battery staple';

/** Whether an event was signed with this secret. */
function isSignedWith(secret: string, { headers, body }: Received): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

describe('two nodes in the middle of replacing SECRET_KEY', () => {
  let before: Parley;
  let after: Parley;
  let receiver: Receiver;
  let provider: CaptchaProvider;

  beforeAll(async () => {
    const shared = { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' };
    before = await Parley.start({ ...shared, SECRET_KEY: FIRST, SECRET_KEY_PREVIOUS: SECOND });
    after = await Parley.start({ ...shared, SECRET_KEY: SECOND, SECRET_KEY_PREVIOUS: FIRST }, before.databaseUrl);
    receiver = await Receiver.start();
    provider = await CaptchaProvider.start();
  });
  afterAll(async () => {
    await provider.close();
    await after?.stop();
    await before?.stop();
    await receiver.close();
  });

  describe.each([
    ['the other node swaps its keys', () => [before, after] as const],
    ['the other node has yet to swap its keys', () => [after, before] as const],
  ])('what one node signed or sealed, while %s', (_, nodes) => {
    let here: Parley;
    let there: Parley;
    let tenant: Tenant;

    beforeEach(async () => {
      [here, there] = nodes();
      tenant = await here.createTenant();
    });

    it("a visitor's token", async () => {
      await there.visitor(tenant.visitorToken).get('/chats').expect(200);
      await there
        .visitor(`${tenant.visitorToken.slice(0, -4)}AAAA`)
        .get('/chats')
        .expect(401);
      const { body } = await there.beginSession(tenant, {}, tenant.visitorToken).expect(201);
      await here.visitor(body.token).get('/chats').expect(200);
    });

    it("an organization's identity secret", async () => {
      const identity = await signIdentity(tenant, { sub: 'vera' });
      await there.beginSession(tenant, { identity }).expect(201);
    });

    it("a webhook's secret", async () => {
      const { body: webhook } = await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
      const answer = await there.admin.below(`/${tenant.id}`).post(`/webhooks/${webhook.id}/ping`, {}).expect(200);
      expect(answer.body.status).toBe(200);
      expect(isSignedWith(webhook.secret, receiver.received.at(-1)!)).toBe(true);
    });

    it("a captcha's secret", async () => {
      const captcha = { provider: 'TURNSTILE', siteKey: 'a-site-key', secret: 'the-secret', verifyUrl: provider.url };
      await tenant.admin.put('/captcha', captcha).expect(200);
      await there.beginSession(tenant, { visitor: { captcha: `solved-${tenant.id}` } }).expect(201);
    });

    it("a polling bot's ack", async () => {
      const { body } = await tenant.bot.get('/events?wait=0').expect(200);
      await there.bot(tenant.token).get(`/events?wait=0&ack=${body.ack}`).expect(200);
    });

    it("an agent's password, whose hash both nodes keep", async () => {
      const { email, client } = await here.signInAgent(tenant, { password: PASSWORD });
      const read = () => here.query(`SELECT password_hash FROM agents WHERE organization_id = $1`, [tenant.id]);
      const stored = await read();
      await there.agent().post('/session', { email, password: PASSWORD, mode: 'token' }).expect(201);
      expect(await read()).toEqual(stored);
      await client.get('/session').expect(200);
    });
  });
});
