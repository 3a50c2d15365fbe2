import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { AddressRemoval } from '../../src/auth/audit/address-removal.js';
import { AuthRetention } from '../../src/auth/auth-retention.js';
import { KeyRetention } from '../../src/idempotency/key-retention.js';
import { DataRemoval } from '../../src/privacy/data-removal.js';
import { SubscriptionUpkeep } from '../../src/pull/subscription-upkeep.js';
import { DeliveryRetention } from '../../src/webhooks/delivery-retention.js';
import { WebhookDispatcher } from '../../src/webhooks/dispatcher.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Client } from '../support/client.js';
import { Receiver } from '../support/receiver.js';
import { Scrape } from '../support/scrape.js';

const DETAIL = 'this is a drill (DRILL): no webhook is sent, and nothing expires or is removed by itself';
const ENVIRONMENT = { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' };
/** Everything has expired then. */
const LATER = new Date(Date.now() + 4_000 * 24 * 60 * 60 * 1000);
const TABLES = ['messages', 'chats', 'visitors', 'deliveries', 'idempotency_keys', 'audit_entries', 'agent_sessions'];

describe('a drill on a copy of the database', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let parley: Parley;
  let tenant: Tenant;

  const start = async (environment: NodeJS.ProcessEnv = {}) => {
    parley = await Parley.start({ ...ENVIRONMENT, ...environment }, database.url);
  };
  const say = (content: string) =>
    new Client(`${parley.url}/api/bot`, tenant.token)
      .post('/messages', { chatId: tenant.chatId, content })
      .set('Idempotency-Key', content.replaceAll(' ', '-'));
  /** Runs everything that removes rows, as at a time when all of them have expired. */
  const removeAll = async () => {
    for (const removal of [DataRemoval, DeliveryRetention, SubscriptionUpkeep])
      await parley.app.get<{ run(now: Date): Promise<void> }>(removal).run(LATER);
    for (const removal of [AuthRetention, KeyRetention]) await parley.app.get(removal).removeExpired(LATER);
    await parley.app.get(AddressRemoval).run();
  };
  const countRows = async () => {
    const counts = TABLES.map((table) => `(SELECT count(*)::integer FROM ${table}) AS ${table}`);
    return (await parley.query<Record<string, number>>(`SELECT ${counts.join(', ')}`))[0]!;
  };

  // An original with a webhook that couldn't be reached, and data that has expired.
  beforeAll(async () => {
    database = await createDatabase();
    receiver = await Receiver.start((_, response) => void response.writeHead(500).end());
    await start();
    tenant = await parley.createTenant();
    await tenant.admin.patch('', { retentionDays: 1, storeAddresses: false }).expect(200);
    await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
    await parley.signInAgent(tenant);
    await say('before').expect(200);
    await receiver.count(1);
    await parley.stop();
    receiver.become((_, response) => void response.end());
    receiver.received.length = 0;
  });
  afterAll(async () => {
    await parley.stop();
    await receiver.close();
    await database.drop();
  });

  it('sends nothing and removes nothing, and says so', async () => {
    await start({ DRILL: 'true', REDIS_URL: 'redis://127.0.0.1:1' });
    await parley.query('UPDATE deliveries SET due_at = now()');
    await say('in the drill').expect(200);
    const before = await countRows();
    await parley.app.get(WebhookDispatcher).poll();
    await removeAll();
    expect(await countRows()).toEqual(before);
    expect(before).toMatchObject({ messages: 2, deliveries: 2, agent_sessions: 1 });
    expect(await parley.query(`SELECT FROM deliveries WHERE outcome IS NULL`)).toHaveLength(2);
    const admin = parley.admin.below(`/${tenant.id}`);
    const { body: listed } = await admin.get('/webhooks').expect(200);
    const { body: ping } = await admin.post(`/webhooks/${listed.webhooks[0].id}/ping`, {}).expect(200);
    expect(ping).toMatchObject({ status: null, error: expect.stringContaining(DETAIL) });
    expect(receiver.received).toEqual([]);
    const { body: ready } = await request(parley.url).get('/health/ready').expect(200);
    expect(ready).toEqual({ status: 'ok', detail: DETAIL });
    const scrape = await Scrape.of(parley.url);
    expect(scrape.value('parley_drill')).toBe(1);
    expect(scrape.value('parley_redis_up')).toBeUndefined();
    const page = await request(parley.url).get('/console').expect(200);
    expect(page.text).toContain('<html data-drill lang="en"');
    await parley.stop();
  });

  it('without DRILL, what waited is sent, and what has expired is removed', async () => {
    await start();
    const received = await receiver.count(2);
    expect(received.map(({ event }) => event.data.message.content)).toEqual(['before', 'in the drill']);
    expect((await request(parley.url).get('/health/ready').expect(200)).body).toEqual({ status: 'ok' });
    expect((await Scrape.of(parley.url)).value('parley_drill')).toBe(0);
    expect((await request(parley.url).get('/console').expect(200)).text).not.toContain('data-drill');
    await removeAll();
    expect(await countRows()).toMatchObject({
      messages: 0,
      chats: 0,
      deliveries: 0,
      idempotency_keys: 0,
      agent_sessions: 0,
    });
  });
});
