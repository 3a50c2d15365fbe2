import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import type { Pool } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { POOL } from '../../src/platform/database/pool.js';
import { PushSender } from '../../src/push/push-sender.js';
import { eventually } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { Scrape } from '../support/scrape.js';
import { hasten, openChat, subscribe, subscriptionsOf, untilNone, waiting, signInMember } from './support/notify.js';
import { type FakeBrowser, PushService } from './support/push-service.js';

describe('sending push notifications', () => {
  let service: PushService;
  let parley: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;
  let browser: FakeBrowser;
  let say: (content: string) => Promise<void>;

  beforeAll(async () => {
    service = await PushService.start();
    parley = await Parley.start(service.environment);
    tenant = await parley.createTenant();
  });

  beforeEach(async () => {
    ada = await signInMember(parley, tenant, { name: 'Ada' });
    browser = service.browser();
    await subscribe(ada, browser);
    ({ say } = await openChat(parley, tenant, ada));
  });

  afterAll(async () => {
    await parley.stop();
    await service.close();
  });

  const untilAttempts = (count: number) =>
    parley.untilRow(`SELECT FROM push_notifications n JOIN push_subscriptions s ON s.id = n.subscription_id
      WHERE s.agent_id = '${ada.id}' AND n.attempts = ${count}`);
  const nextAttempt = async () => {
    const [row] = await parley.query<{ seconds: number }>(
      `SELECT extract(epoch FROM n.due_at - now())::float8 AS seconds FROM push_notifications n
       JOIN push_subscriptions s ON s.id = n.subscription_id WHERE s.agent_id = $1`,
      [ada.id],
    );
    return row!.seconds;
  };

  it.each([404, 410])('a subscription ends when its push service answers %i', async (status) => {
    browser.refuse(status);
    await say('hello');
    await eventually(
      () => subscriptionsOf(parley, ada),
      (count) => count === 0,
    );
    expect([browser.arrived.length, await waiting(parley)]).toEqual([1, 0]);
  });

  it('a subscription ends with the fifth refusal in a row, and no refused notification is repeated', async () => {
    browser.refuse(400);
    for (let count = 1; count <= 5; count++) {
      expect(await subscriptionsOf(parley, ada)).toBe(1);
      await say(`message ${count}`);
      await browser.count(count);
      await untilNone(parley);
    }
    expect([browser.arrived.length, await subscriptionsOf(parley, ada)]).toEqual([5, 0]);
  });

  it('a success in between starts the count again', async () => {
    for (const [index, status] of [400, 403, 413, 400, 201, 400, 400, 400, 400].entries()) {
      browser.refuse(status);
      await say(`message ${index}`);
      await browser.count(index + 1);
      await untilNone(parley);
    }
    expect(await subscriptionsOf(parley, ada)).toBe(1);
  });

  it('429 waits as long as the push service asks for, also with newer messages, and ends no subscription', async () => {
    browser.refuse(429, { 'retry-after': '600' });
    await say('one');
    await untilAttempts(1);
    expect(await nextAttempt()).toBeGreaterThan(590);
    await say('two');
    await parley.untilRow('SELECT FROM push_notifications WHERE lease = 2');
    expect(await nextAttempt()).toBeGreaterThan(590);
    browser.accept();
    await hasten(parley);
    await untilNone(parley);
    expect(browser.arrived.map(({ payload }) => payload.notification.body)).toEqual(['one', 'two']);
    expect(await subscriptionsOf(parley, ada)).toBe(1);
  });

  it('an error of the push service is retried, until the notification expires', async () => {
    browser.refuse(500);
    await say('one');
    await untilAttempts(1);
    expect(await nextAttempt()).toBeLessThanOrEqual(12);
    await hasten(parley);
    await untilAttempts(2);
    expect(await nextAttempt()).toBeGreaterThan(20);
    await parley.query("UPDATE push_notifications SET expires_at = now() + interval '20 s'");
    await hasten(parley);
    await untilNone(parley);
    expect(browser.arrived).toHaveLength(3);
    expect(await subscriptionsOf(parley, ada)).toBe(1);
  });

  it('a push service that never answers delays no other one', async () => {
    const sender = parley.app.get(PushSender);
    const held: ServerResponse[] = [];
    browser.answer = (response) => void held.push(response);
    await say('hangs');
    await browser.count(1);
    const other = await signInMember(parley, tenant, { name: 'Bob' });
    const quick = service.browser();
    await subscribe(other, quick);
    await (await openChat(parley, tenant, other)).say('quick');
    await quick.count(1);
    for (const response of held) response.destroy();
    await untilAttempts(1);
    const { timeout } = sender;
    sender.timeout = 200;
    await hasten(parley);
    await untilAttempts(2);
    sender.timeout = timeout;
    browser.accept();
    await hasten(parley);
    await untilNone(parley);
  });

  it('one organization with push services that never answer leaves the others their share', async () => {
    const slow = await parley.createTenant();
    const held: ServerResponse[] = [];
    for (let index = 0; index < 8; index++) {
      const agent = await signInMember(parley, slow);
      const hanging = service.browser();
      hanging.answer = (response) => void held.push(response);
      await subscribe(agent, hanging);
      await (await openChat(parley, slow, agent)).say('hangs');
    }
    await eventually(
      () => held.length,
      (length) => length === 4,
    );
    await say('quick');
    await browser.count(1);
    expect(held).toHaveLength(4);
    await parley.query('DELETE FROM push_subscriptions WHERE organization_id = $1', [slow.id]);
    for (const response of held) response.destroy();
    await untilNone(parley);
  });

  it('four organizations with push services that never answer leave another one its share', async () => {
    const sender = parley.app.get(PushSender);
    const { timeout } = sender;
    sender.timeout = 120_000;
    const held: ServerResponse[] = [];
    const slow = await Promise.all(Array.from({ length: 4 }, () => parley.createTenant()));
    for (const hung of slow) {
      const agent = await signInMember(parley, hung);
      const hanging = service.browser();
      hanging.answer = (response) => void held.push(response);
      await subscribe(agent, hanging);
      for (let chats = 0; chats < 5; chats++) await (await openChat(parley, hung, agent)).say('hangs');
    }
    await eventually(
      () => held.length,
      (length) => length >= 10,
    );
    await say('quick');
    await browser.count(1);
    const ids = slow.map(({ id }) => id);
    await parley.query('DELETE FROM push_subscriptions WHERE organization_id = ANY ($1)', [ids]);
    sender.timeout = timeout;
    for (const response of held) response.destroy();
    await untilNone(parley);
  });

  it('while results cannot be noted, the outbox waits between its checks', async () => {
    const checks = jest.spyOn(parley.app.get<Pool>(POOL), 'query');
    await parley.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
       CREATE TRIGGER refuse BEFORE UPDATE ON push_notifications FOR EACH ROW EXECUTE FUNCTION refuse()`,
    );
    await say('late');
    const count = () => checks.mock.calls.filter(([query]) => (query as any).name === 'find-due-push').length;
    await eventually(count, (found) => found > 0);
    const before = count();
    await sleep(1_000);
    expect(count() - before).toBeLessThanOrEqual(2);
    await parley.query('DROP TRIGGER refuse ON push_notifications; DROP FUNCTION refuse()');
    checks.mockRestore();
    await untilNone(parley);
  });

  it('redirects are not followed', async () => {
    const target = service.browser();
    browser.refuse(307, { location: target.endpoint });
    await say('moved');
    await untilAttempts(1);
    expect(target.arrived).toHaveLength(0);
    await parley.query('DELETE FROM push_notifications');
  });

  it('two nodes send each notification once', async () => {
    const other = await Parley.start(service.environment, parley.databaseUrl);
    try {
      browser.refuse(503);
      await say('first');
      await untilAttempts(1);
      browser.accept();
      await hasten(parley, other);
      await untilNone(parley);
      expect(browser.arrived).toHaveLength(2);
      const sent = await Promise.all([parley, other].map(async ({ url }) => Scrape.of(url)));
      const counts = sent.map((scrape) => scrape.value('parley_push_attempts_total', { outcome: 'sent' }) ?? 0);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
      // Both nodes use the same generated key.
      const { body } = await other.agent(ada.token).get('/push').expect(200);
      expect(body.publicKey).toBe(browser.arrived[1]!.publicKey);
    } finally {
      await other.stop();
    }
  });

  it('a node that is lost between sending and noting sends again, and the browser replaces it by its tag', async () => {
    const held: ServerResponse[] = [];
    browser.answer = (response) => void held.push(response);
    await say('twice');
    await browser.count(1);
    browser.accept();
    // Another node takes over, as after the end of the lease.
    await hasten(parley);
    const [first, second] = await browser.count(2);
    expect(second!.payload).toEqual(first!.payload);
    expect(second!.headers.topic).toBe(first!.headers.topic);
    for (const response of held) response.writeHead(500).end();
    await untilNone(parley);
  });
});
