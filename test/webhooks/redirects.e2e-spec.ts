import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';

/** Part of the Location of every redirect. Only its origin may be shown. */
const HIDDEN = 'hunter2';

describe('a webhook whose receiver redirects', () => {
  let parley: Parley;
  let tenant: Tenant;
  let receiver: Receiver;
  let other: Receiver;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '0.05,0.05' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    receiver = await Receiver.start();
    other = await Receiver.start();
  });
  afterEach(async () => {
    await receiver.close();
    await other.close();
  });

  const create = async (): Promise<string> =>
    (await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201)).body.id;
  const say = (content: string) => tenant.bot.post('/messages', { chatId: tenant.chatId, content }).expect(200);
  const redirect = (status: number, location?: string) =>
    receiver.become((_, response) => void response.writeHead(status, location ? { Location: location } : {}).end());
  const ended = (id: string): Promise<any> =>
    eventually(
      async () => (await tenant.admin.get(`/webhooks/${id}/deliveries`).expect(200)).body.deliveries[0],
      (found) => found?.nextAttemptAt === null && found.status !== 'in_flight' && found.attempts.length > 0,
    );

  it.each([301, 302, 303, 307, 308])(
    'one attempt follows %i, and its error names the origin of Location',
    async (status) => {
      redirect(status, `${other.url}/${HIDDEN}?key=${HIDDEN}`);
      const id = await create();
      await say('one');
      const origin = `http://127.0.0.1:${other.port}`;
      const error = `answered ${status}: a redirect to ${origin}, which isn't followed`;
      const delivery = await ended(id);
      expect(delivery).toMatchObject({ status: 'dead', attempts: [{ status, error }] });
      expect((await tenant.admin.post(`/webhooks/${id}/ping`).expect(200)).body).toMatchObject({ status, error });
      expect(JSON.stringify(delivery.attempts)).not.toContain(HIDDEN);
      await say('two');
      await receiver.count(3);
      expect(other.received).toEqual([]);
    },
  );

  it.each([
    [301, '/hook/', 'a redirect within ORIGIN, which isn’t followed'],
    [302, undefined, 'redirects aren’t followed'],
    [304, undefined, 'redirects aren’t followed'],
    [300, undefined, 'redirects aren’t followed'],
    [399, undefined, 'redirects aren’t followed'],
    [302, 'http://', 'redirects aren’t followed'],
    [302, 'http://[hunter2', 'redirects aren’t followed'],
    [302, 'hunter2:hunter2', 'redirects aren’t followed'],
    [302, 'javascript:hunter2', 'redirects aren’t followed'],
    [302, 'blob:https://hunter2.example/x', 'redirects aren’t followed'],
    [302, `https://${HIDDEN}:${HIDDEN}@other.example/`, 'a redirect to https://other.example, which isn’t followed'],
    [302, '//other.example/x', 'a redirect to http://other.example, which isn’t followed'],
    [302, `https://${'a'.repeat(5_000)}.example/`, 'redirects aren’t followed'],
  ])('%i with the Location %s is one attempt with an error in words', async (status, location, text) => {
    redirect(status, location);
    const id = await create();
    const error = `answered ${status}: ${text.replace('’', "'").replace('ORIGIN', new URL(receiver.url).origin)}`;
    expect((await tenant.admin.post(`/webhooks/${id}/ping`).expect(200)).body).toMatchObject({ status, error });
    await say('one');
    expect(await ended(id)).toMatchObject({ status: 'dead', attempts: [{ status, error }] });
    expect(error).not.toContain(HIDDEN);
  });

  it('a redirect is no success: after five days of them, the webhook is disabled', async () => {
    redirect(302, other.url);
    const id = await create();
    await say('one');
    await ended(id);
    const [lane] = await parley.query('SELECT failing_since FROM webhook_lanes WHERE webhook_id = $1', [id]);
    expect(lane).toMatchObject({ failing_since: expect.any(Date) });
    await parley.query(
      `UPDATE webhook_lanes SET failing_since = now() - interval '5 days', paused_until = now() WHERE webhook_id = $1`,
      [id],
    );
    await say('two');
    const { body } = await eventually(
      () => tenant.admin.get(`/webhooks/${id}`).expect(200),
      ({ body: { isEnabled } }) => !isEnabled,
    );
    expect(body.disabledReason).toBe('5 days without a success');
  });

  it('a webhook gets everything that failed, once its URL is right and the events are sent again', async () => {
    redirect(302, other.url);
    const id = await create();
    await say('one');
    await ended(id);
    await tenant.admin.patch(`/webhooks/${id}`, { url: other.url }).expect(200);
    const since = new Date(Date.now() - 60_000).toISOString();
    await tenant.admin.post(`/webhooks/${id}/deliveries/redeliver`, { since }).expect(202);
    const [received] = await other.count(1);
    expect(received!.event.data.message.content).toBe('one');
    await until('it is delivered', async () => (await ended(id)).status === 'delivered');
  });
});
