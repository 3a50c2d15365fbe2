import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { recordedAddress } from '../../src/auth/audit/audit-changes.js';
import { DeliveryRetention } from '../../src/webhooks/delivery-retention.js';
import { WebhookSender } from '../../src/webhooks/sender.js';
import { eventually, until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { temporaryDirectory } from '../support/process.js';
import { type Received, Receiver } from '../support/receiver.js';
import { closedPort } from '../support/ports.mjs';

/** A server that handles every connection with `behave`. */
async function rawServer(behave: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    behave(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port, url: `http://127.0.0.1:${port}/`, close };
}

describe('delivery attempts', () => {
  let parley: Parley;
  let tenant: Tenant;
  let receiver: Receiver;
  const closers: (() => void)[] = [];

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '0.2,0.4' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    await receiver.close();
    for (const close of closers.splice(0)) close();
  });

  const create = async (url: string): Promise<string> =>
    (await tenant.admin.post('/webhooks', { url }).expect(201)).body.id;
  const say = async (content = 'hello') => {
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content }).expect(200);
  };
  const deliveries = async (id: string, query = '') =>
    (await tenant.admin.get(`/webhooks/${id}/deliveries${query}`).expect(200)).body.deliveries;
  /** Waits until the newest delivery fulfills a condition. */
  const delivery = (id: string, holds: (delivery: any) => boolean): Promise<any> =>
    eventually(
      async () => (await deliveries(id))[0],
      (found) => found !== undefined && holds(found),
    );
  const raw = async (behave: (socket: Socket) => void) => {
    const server = await rawServer(behave);
    closers.push(server.close);
    return server;
  };

  it('an attempt is repeated with identical bytes until one succeeds', async () => {
    receiver.become((_, response) => void response.writeHead(receiver.received.length < 3 ? 500 : 204).end());
    const id = await create(receiver.url);
    await say('Ünïcödé 🚀');
    const received = await receiver.count(3);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const found = await delivery(id, ({ status }) => status === 'delivered');
    expect(found.attempts.map(({ status, error }: any) => [status, error])).toEqual([
      [500, 'answered 500'],
      [500, 'answered 500'],
      [204, null],
    ]);
    expect(found).toMatchObject({ type: 'message.created', chatId: tenant.chatId, nextAttemptAt: null });
    expect(found.eventId).toBe(received[0]!.headers['webhook-id']);
    const { body: one } = await tenant.admin.get(`/webhooks/${id}/deliveries/${found.id}`).expect(200);
    expect(one).toEqual({ ...found, payload: received[0]!.body });
    const [{ at, durationMs }] = found.attempts;
    expect(new Date(at).toISOString()).toBe(at);
    expect(durationMs).toBeGreaterThanOrEqual(0);
  });

  it('attempts end with the schedule, and start again on request', async () => {
    receiver.become((_, response) => void response.writeHead(500).end());
    const id = await create(receiver.url);
    await say('one');
    const dead = await delivery(id, ({ status }) => status === 'dead');
    expect(dead.attempts).toHaveLength(3);
    expect(receiver.received).toHaveLength(3);
    receiver.become((_, response) => void response.end());
    const { body } = await tenant.admin.post(`/webhooks/${id}/deliveries/${dead.id}/redeliver`).expect(202);
    expect(body.id).toBe(dead.id);
    const delivered = await delivery(id, ({ status }) => status === 'delivered');
    expect(delivered.attempts).toHaveLength(4);
    await tenant.admin.post(`/webhooks/${id}/deliveries/${dead.id}/redeliver`).expect(202);
    const received = await receiver.count(5);
    expect(new Set(received.map(({ headers, body: sent }) => headers['webhook-id'] + sent)).size).toBe(1);
  });

  it('all deliveries that failed since a time can be sent again', async () => {
    const id = await create(`http://127.0.0.1:${await closedPort()}/`);
    for (const content of ['old', 'new 1', 'new 2']) await say(content);
    const dead = async () => (await deliveries(id, '?status=dead')) as { id: string }[];
    await until('all are dead', async () => (await dead()).length === 3);
    await parley.query(
      `UPDATE deliveries SET created_at = now() - interval '1 hour' WHERE receiver_id = $1 AND payload LIKE '%"old"%'`,
      [id],
    );
    await tenant.admin.patch(`/webhooks/${id}`, { url: receiver.url }).expect(200);
    const since = new Date(Date.now() - 60_000).toISOString();
    const { body } = await tenant.admin.post(`/webhooks/${id}/deliveries/redeliver`, { since }).expect(202);
    expect(body).toEqual({ count: 2 });
    const received = await receiver.count(2);
    expect(new Set(received.map(({ event }) => event.data.message.content))).toEqual(new Set(['new 1', 'new 2']));
    expect(await dead()).toHaveLength(1);
    await tenant.admin.post(`/webhooks/${id}/deliveries/redeliver`, { since: 'yesterday' }).expect(400);
    await tenant.admin.patch(`/webhooks/${id}`, { isEnabled: false }).expect(200);
    await tenant.admin.post(`/webhooks/${id}/deliveries/redeliver`, { since }).expect(409);
  });

  it('deliveries are listed by status and type, page by page', async () => {
    const id = await create(receiver.url);
    for (let n = 0; n < 5; n++) await say(`${n}`);
    await tenant.admin.patch(`/chats/${tenant.chatId}`, { status: 'CLOSED' }).expect(200);
    // The chat's end is an event, and a line in its transcript.
    await receiver.count(7);
    await until('all are delivered', async () => (await deliveries(id, '?status=delivered')).length === 7);
    const all = await deliveries(id);
    const ids = all.map(({ id: one }: any) => one);
    expect(ids).toEqual(ids.toSorted().toReversed());
    const path = `/webhooks/${id}/deliveries?limit=4`;
    const { body: first } = await tenant.admin.get(path).expect(200);
    const { body: second } = await tenant.admin.get(`${path}&cursor=${first.nextCursor}`).expect(200);
    expect([...first.deliveries, ...second.deliveries]).toEqual(all);
    expect(second.nextCursor).toBeNull();
    const types = async (query: string) => (await deliveries(id, query)).map(({ type }: any) => type);
    expect(await types('?type=chat.closed')).toEqual(['chat.closed']);
    for (const status of ['pending', 'in_flight', 'dead']) expect(await types(`?status=${status}`)).toEqual([]);
    await tenant.admin.get(`/webhooks/${id}/deliveries?status=lost`).expect(400);
    await tenant.admin.get('/webhooks/whk_none/deliveries').expect(404);
  });

  it('attempts wait for Retry-After', async () => {
    receiver.become((_, response) => void response.writeHead(429, { 'Retry-After': '3600' }).end());
    const id = await create(receiver.url);
    await say();
    const waiting = await delivery(id, ({ attempts }) => attempts.length === 1);
    expect(waiting.status).toBe('pending');
    const wait = Date.parse(waiting.nextAttemptAt) - Date.now();
    expect(wait).toBeGreaterThan(3_500_000);
    expect(wait).toBeLessThan(3_600_001);
    await tenant.admin.post(`/webhooks/${id}/deliveries/${waiting.id}/redeliver`).expect(409);
  });

  it("a 410 stops a webhook until it's enabled again", async () => {
    receiver.become((_, response) => void response.writeHead(410).end());
    const id = await create(new URL('/services/hunter2?key=hunter2', receiver.url).href);
    await say('gone');
    await delivery(id, ({ status }) => status === 'dead');
    const { body: webhook } = await tenant.admin.get(`/webhooks/${id}`).expect(200);
    expect(webhook).toMatchObject({ isEnabled: false, disabledReason: 'answered 410 Gone' });
    const { body: log } = await tenant.admin.get(`/audit?actor=SYSTEM&target=${id}`).expect(200);
    expect(JSON.stringify(log)).not.toContain('hunter2');
    expect(log.entries).toEqual([
      expect.objectContaining({
        action: 'webhook.disabled',
        actor: { type: 'SYSTEM', id: null, name: null },
        targetName: recordedAddress(new URL('/services/hunter2', receiver.url).href),
        changes: [
          { field: 'isEnabled', from: true, to: false },
          { field: 'disabledReason', from: null, to: 'answered 410 Gone' },
        ],
      }),
    ]);
    await say('unheard');
    expect(await deliveries(id)).toHaveLength(1);
    receiver.become((_, response) => void response.end());
    const { body: enabled } = await tenant.admin.patch(`/webhooks/${id}`, { isEnabled: true }).expect(200);
    expect(enabled).toMatchObject({ isEnabled: true, disabledReason: null });
    await say('heard');
    const received = await receiver.count(2);
    expect(received[1]!.event.data.message.content).toBe('heard');
  });

  it('a webhook without a success for five days stops', async () => {
    const refusals: (() => void)[] = [];
    receiver.become((_, response) => void refusals.push(() => response.writeHead(500).end()));
    const id = await create(receiver.url);
    await say();
    await receiver.count(1);
    refusals[0]!();
    // The second attempt is in flight, and ends after the webhook seems to have failed for long.
    await receiver.count(2);
    await parley.query(`UPDATE webhook_lanes SET failing_since = now() - interval '5 days' WHERE webhook_id = $1`, [
      id,
    ]);
    refusals[1]!();
    const { body } = await eventually(
      () => tenant.admin.get(`/webhooks/${id}`).expect(200),
      ({ body: { isEnabled } }) => !isEnabled,
    );
    expect(body.disabledReason).toBe('5 days without a success');
  });

  it("deliveries of a disabled webhook wait, and are sent when it's enabled", async () => {
    receiver.become((_, response) => void response.writeHead(503, { 'Retry-After': '3600' }).end());
    const id = await create(receiver.url);
    await say();
    await delivery(id, ({ attempts }) => attempts.length === 1);
    await tenant.admin.patch(`/webhooks/${id}`, { isEnabled: false }).expect(200);
    await parley.query('UPDATE deliveries SET due_at = now() WHERE receiver_id = $1 AND outcome IS NULL', [id]);
    receiver.become((_, response) => void response.end());
    await tenant.admin.patch(`/webhooks/${id}`, { isEnabled: true }).expect(200);
    await delivery(id, ({ status }) => status === 'delivered');
  });

  it('metrics count attempts', async () => {
    // On its own database, because the metrics count all organizations.
    const own = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    const { admin, bot, chatId } = await own.createTenant();
    const metric = async (name: string) => {
      const text = await (await fetch(`${own.url}/metrics`)).text();
      return Number(new RegExp(`^parley_webhook_${name} (.*)$`, 'm').exec(text)?.[1]);
    };
    const { body: webhook } = await admin.post('/webhooks', { url: receiver.url }).expect(201);
    await bot.post('/messages', { chatId, content: 'hello' }).expect(200);
    await until('it is counted', async () => (await metric('attempts_total\\{outcome="delivered"\\}')) === 1);
    expect(await metric('attempts_in_flight')).toBe(0);
    await until('none is due', async () => (await metric('deliveries_due')) === 0);
    // The lane is released after the result is stored.
    await own.untilRow('SELECT FROM webhook_lanes WHERE leased_until IS NULL');
    // No node serves the lane while another one seems to.
    await own.query(`UPDATE webhook_lanes SET leased_until = now() + interval '1 minute'`);
    await bot.post('/messages', { chatId, content: 'hello' }).expect(200);
    expect(await metric('deliveries_due')).toBe(1);
    expect(await metric('oldest_due_age_seconds\\{receiver="healthy"\\}')).toBeGreaterThan(0);
    await admin.patch(`/webhooks/${webhook.id}`, { isEnabled: false }).expect(200);
    expect(await metric('deliveries_due')).toBe(0);
    await own.stop();
  });

  it('delivered events are kept for some days, and failed ones longer', async () => {
    const id = await create(receiver.url);
    receiver.become(({ event }, response) => {
      response.writeHead(event.data.message.content === 'bad' ? 500 : 200).end();
    });
    for (const content of ['good', 'bad', 'fine']) await say(content);
    const left = async () => (await deliveries(id)).map(({ status }: any) => status);
    await eventually(left, (all: string[]) => all.every((status) => status === 'delivered' || status === 'dead'));
    const retention = parley.app.get(DeliveryRetention);
    const inDays = (days: number) => retention.run(new Date(Date.now() + days * 86_400_000));
    await inDays(6.9);
    expect(await left()).toHaveLength(3);
    await inDays(7.1);
    expect(await left()).toEqual(['dead']);
    await inDays(30.1);
    expect(await left()).toEqual([]);
    const attempts = await parley.query('SELECT FROM attempts WHERE webhook_id = $1', [id]);
    expect(attempts).toEqual([]);
  });

  describe('at misbehaving receivers', () => {
    /** The result of the first attempt; a healthy webhook beside it has its event long before. */
    const attemptAt = async (url: string) => {
      const healthy = await create(receiver.url);
      const id = await create(url);
      await say();
      await delivery(healthy, ({ status }) => status === 'delivered');
      const { attempts } = await delivery(id, (found) => found.attempts.length > 0);
      return attempts[0] as { status: number | null; error: string | null; durationMs: number };
    };
    const answer = (head: string) => (socket: Socket) => void socket.once('data', () => socket.write(head));

    /** Sets the time limit of attempts to 1.5 s instead of 15 s. */
    const beImpatient = () => {
      const sender = parley.app.get(WebhookSender);
      expect(sender.timeout).toBe(15_000);
      sender.timeout = 1_500;
      closers.push(() => (sender.timeout = 15_000));
    };

    it('a silent receiver times out', async () => {
      beImpatient();
      const { url } = await raw(() => undefined);
      const attempt = await attemptAt(url);
      expect(attempt).toMatchObject({ status: null, error: 'timed out after 1.5 s' });
      expect(attempt.durationMs).toBeGreaterThanOrEqual(1_499);
    });

    it('a receiver with endless headers times out, even if it sends byte by byte', async () => {
      beImpatient();
      const drip = (head: string) => (socket: Socket) => {
        socket.write(head);
        const timer = setInterval(() => socket.write('x'), 100);
        socket.once('close', () => clearInterval(timer));
      };
      const headers = await raw(drip('HTTP/1.1 200 OK\r\nX-Slow: '));
      const body = await raw(drip('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n'));
      const [slow, dripping] = await Promise.all([create(headers.url), create(body.url)]);
      await say();
      const first = async (id: string) => (await delivery(id, ({ attempts }) => attempts.length > 0)).attempts[0];
      expect(await first(slow)).toMatchObject({ status: null, error: 'timed out after 1.5 s' });
      expect(await first(dripping)).toMatchObject({ status: 200, error: null });
    });

    it('only the status of an endless response is read', async () => {
      let sent = 0;
      const { url } = await raw((socket) => {
        const flood = () => {
          while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 'x'))) sent += 65_536;
        };
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\n');
        socket.on('drain', flood).once('data', flood);
      });
      expect(await attemptAt(url)).toMatchObject({ status: 200, error: null });
      expect(sent).toBeLessThan(50_000_000);
    });

    it.each([
      [
        'floods it with headers',
        `HTTP/1.1 200 OK\r\n${'X-Flood: x\r\n'.repeat(5_000)}\r\n`,
        'too many headers in the answer',
      ],
      ['does not speak HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', 'answer was not HTTP'],
    ])("a delivery's error describes a receiver that %s", async (_, head, error) => {
      const { url } = await raw(answer(head));
      expect(await attemptAt(url)).toMatchObject({ status: null, error });
    });

    it("a delivery's error describes a receiver that hangs up", async () => {
      const { url } = await raw((socket) => void socket.once('data', () => socket.destroy()));
      expect(await attemptAt(url)).toMatchObject({ status: null, error: 'connection closed' });
    });

    it("a delivery's error describes a receiver that is down", async () => {
      const attempt = await attemptAt(`http://127.0.0.1:${await closedPort()}/`);
      expect(attempt).toMatchObject({ status: null, error: 'connection refused' });
    });

    it("a delivery's error describes a receiver with an invalid certificate", async () => {
      const directory = temporaryDirectory();
      const [key, cert] = ['key', 'cert'].map((name) => join(directory, name)) as [string, string];
      const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
      const options = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-keyout', key, '-out', cert];
      execFileSync('openssl', ['req', ...options, ...subject], { stdio: 'ignore' });
      const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      closers.push(() => server.close());
      const attempt = await attemptAt(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      expect(attempt).toMatchObject({ status: null, error: 'certificate is self-signed' });
    });

    it("a delivery's error describes a receiver that speaks no TLS", async () => {
      const attempt = await attemptAt(receiver.url.replace('http:', 'https:'));
      expect(attempt).toMatchObject({ status: null, error: 'TLS handshake failed' });
    });

    it("a misbehaving receiver doesn't affect the order at a healthy one", async () => {
      const { url } = await raw(() => undefined);
      await create(url);
      await create(`http://127.0.0.1:${await closedPort()}/`);
      await create(receiver.url);
      const sent = Array.from({ length: 100 }, (_, n) => `${n}`);
      for (const content of sent) await say(content);
      const received: Received[] = await receiver.count(100);
      expect(received.map(({ event }) => event.data.message.content)).toEqual(sent);
    });
  });
});
