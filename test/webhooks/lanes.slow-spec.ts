import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { laneOf } from '../../src/receivers/lane.js';
import { finishDeliveries, renewLanes } from '../../src/webhooks/dispatch.queries.js';
import { WebhookDispatcher } from '../../src/webhooks/dispatcher.js';
import { WebhookSender } from '../../src/webhooks/sender.js';
import { eventually, until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { type Received, Receiver } from '../support/receiver.js';
import { closedPort } from '../support/ports.mjs';

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const seqOf = ({ event }: Received): number => event.data.message.seq;
const chatOf = ({ event }: Received): string => event.data.message.chatId;
const idOf = ({ headers }: Received): string => headers['webhook-id']!;

const RESULT = {
  url: 'https://hooks.example.com/',
  at: new Date(),
  status: 500,
  error: null,
  durationMs: 1,
  retryAfter: 60,
  verdict: 'retry',
  attemptCount: 0,
  isAlive: false,
} as const;

describe('delivery lanes', () => {
  const environment = { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '1,1' };
  let parley: Parley;
  let other: Parley;
  let tenant: Tenant;
  let receiver: Receiver;
  const started: Receiver[] = [];
  const startReceiver = async () => {
    const one = await Receiver.start();
    started.push(one);
    return one;
  };

  beforeAll(async () => {
    parley = await Parley.start(environment);
    other = await Parley.start(environment, parley.databaseUrl);
  });
  afterAll(async () => {
    await other.stop();
    await parley.stop();
  });
  beforeEach(async () => {
    tenant = await parley.createTenant();
    receiver = await startReceiver();
  });
  afterEach(async () => {
    for (const one of started.splice(0)) await one.close();
    setAttemptTimeout(15_000);
  });

  const create = async (url = receiver.url, at: Tenant = tenant): Promise<string> =>
    (await at.admin.post('/webhooks', { url }).expect(201)).body.id;
  const newChat = async (): Promise<string> => (await tenant.admin.post('/chats', {}).expect(201)).body.id;
  const say = (n: number, chatId = tenant.chatId) =>
    [tenant.bot, other.bot(tenant.token)][n % 2]!.post('/messages', { chatId, content: `${n}` }).expect(200);
  /** Locks a lane, so that no claim gets it. Returns the function that unlocks it. */
  const lock = async (id: string) => {
    const holder = await parley.database.connect();
    await holder.query('BEGIN');
    await holder.query('UPDATE webhook_lanes SET leased_until = leased_until WHERE webhook_id = $1', [id]);
    return async () => {
      await holder.query('COMMIT');
      holder.release();
    };
  };
  const setAttemptTimeout = (timeout: number) => {
    for (const node of [parley, other]) node.app.get(WebhookSender).timeout = timeout;
  };
  const statuses = async (id: string) =>
    (await tenant.admin.get(`/webhooks/${id}/deliveries`).expect(200)).body.deliveries.map(
      ({ status }: { status: string }) => status,
    );

  const attemptsInFlight = async () => {
    const texts = await Promise.all([parley, other].map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
    const counts = texts.map((text) => Number(/^parley_webhook_attempts_in_flight (\d+)$/m.exec(text)?.[1]));
    return counts[0]! + counts[1]!;
  };

  it("100,000 deliveries that wait for a dead webhook don't delay the others", async () => {
    const dead = await create(`http://127.0.0.1:${await closedPort()}/`);
    await parley.query(
      `INSERT INTO deliveries (organization_id, receiver_id, id, position, chat_id, event_type, payload, created_at)
       SELECT $1, $2, 'dlv_' || lpad(n::text, 26, '0'), nextval('deliveries_position'), 'cht_' || n % 100,
         'message.created', '{}', now() FROM generate_series(1, 100000) n`,
      [tenant.id, dead],
    );
    const healthy = await parley.createTenant();
    for (let n = 0; n < 50; n++) await create(`${receiver.url}/${n}`, healthy);
    await healthy.bot.post('/messages', { chatId: healthy.chatId, content: 'all' }).expect(200);
    await create(`${receiver.url}/same`);
    await say(1);
    const paths = (await receiver.count(51)).map(({ path }) => path);
    expect(new Set(paths).size).toBe(51);
    await parley.admin.delete(`/${healthy.id}`).expect(204);
    await tenant.admin.patch(`/webhooks/${dead}`, { isEnabled: false }).expect(200);
  });

  it('nodes share lanes without sending twice, each chat in order', async () => {
    const chats = await Promise.all(upTo(4).map(newChat));
    const receivers = [receiver, ...(await Promise.all(upTo(3).map(startReceiver)))];
    for (const one of receivers) await create(one.url);
    await Promise.all(upTo(200).map((n) => say(n, chats[n % 4])));
    for (const one of receivers) {
      const received = await one.count(200);
      expect(new Set(received.map(idOf)).size).toBe(200);
      for (const chat of chats) {
        const seqs = received.filter((event) => chatOf(event) === chat).map(seqOf);
        expect(seqs).toEqual(upTo(50));
      }
    }
  });

  it("a message's first attempt starts after the previous message's first attempt has ended", async () => {
    const busy = new Map<string, number>();
    const chats = await Promise.all(upTo(6).map(newChat));
    let mostAtOnce = 0;
    receiver.become(async (received, response) => {
      const chat = chatOf(received);
      // A third of them fail at first: later ones don't wait for their retries.
      const isFirst = receiver.received.filter((one) => idOf(one) === idOf(received)).length === 1;
      if (isFirst) busy.set(chat, (busy.get(chat) ?? 0) + 1);
      mostAtOnce = Math.max(mostAtOnce, busy.get(chat) ?? 0);
      await sleep(Math.random() * 20);
      if (isFirst) busy.set(chat, busy.get(chat)! - 1);
      response.writeHead(isFirst && seqOf(received) % 3 === 0 ? 500 : 200).end();
    });
    await create();
    await Promise.all(upTo(120).map((n) => say(n, chats[n % 6])));
    const received = await receiver.until((all) => new Set(all.map(idOf)).size === 120);
    expect(mostAtOnce).toBe(1);
    const first = received.filter((one, index) => received.findIndex((two) => idOf(two) === idOf(one)) === index);
    for (const chat of chats) expect(first.filter((one) => chatOf(one) === chat).map(seqOf)).toEqual(upTo(20));
  });

  it('a lane runs 16 attempts at a time', async () => {
    const open: ServerResponse[] = [];
    receiver.become((_, response) => void open.push(response));
    const chats = await Promise.all(upTo(40).map(newChat));
    const id = await create();
    await Promise.all(chats.map((chat, n) => say(n, chat)));
    await receiver.count(16);
    expect((await statuses(id)).filter((status: string) => status === 'in_flight').length).toBeGreaterThanOrEqual(16);
    expect(receiver.received).toHaveLength(16);
    receiver.become((_, response) => void response.end());
    for (const response of open) response.end();
    await receiver.count(40);
    expect(new Set(receiver.received.map(idOf)).size).toBe(40);
  });

  it("a lane is taken over when a dead node's lease ends", async () => {
    const id = await create();
    await tenant.admin.patch(`/webhooks/${id}`, { isEnabled: false }).expect(200);
    await tenant.admin.patch(`/webhooks/${id}`, { isEnabled: true }).expect(200);
    await parley.query(
      `UPDATE webhook_lanes SET fence = 7, leased_until = now() + interval '1 minute' WHERE webhook_id = $1`,
      [id],
    );
    await say(1);
    await parley.query('UPDATE webhook_lanes SET taken_position = 9000000000000000000 WHERE webhook_id = $1', [id]);
    expect(await statuses(id)).toEqual(['in_flight']);
    expect(receiver.received).toEqual([]);
    await parley.query(`UPDATE webhook_lanes SET leased_until = now() + interval '0.2 seconds' WHERE webhook_id = $1`, [
      id,
    ]);
    const [received] = await receiver.count(1);
    const [lane] = await parley.query<{ fence: string }>('SELECT fence FROM webhook_lanes WHERE webhook_id = $1', [id]);
    expect(lane!.fence).toBe('8');
    expect(seqOf(received!)).toBe(1);
  });

  it("a node that was considered dead can't change a lane", async () => {
    receiver.become(() => undefined);
    const id = await create();
    await say(1);
    const [{ headers }] = (await receiver.count(1)) as [Received];
    const [lane] = await parley.query<{ fence: string }>('SELECT fence FROM webhook_lanes WHERE webhook_id = $1', [id]);
    const finish = (fence: string) =>
      finishDeliveries(parley.database, [
        {
          ...RESULT,
          held: { lane: laneOf(tenant.id, id), fence },
          id: headers['webhook-id']!.replace('evt', 'dlv'),
        },
      ]);
    const attempts = async () => {
      const { body } = await tenant.admin.get(`/webhooks/${id}/deliveries`).expect(200);
      return body.deliveries.map(({ attempts: made }: any) => made.length);
    };
    await finish(String(BigInt(lane!.fence) - 1n));
    expect(await statuses(id)).toEqual(['in_flight']);
    await finish(lane!.fence);
    expect(await statuses(id)).toEqual(['pending']);
    // As if the database's response had been lost: it's the same attempt.
    await finish(lane!.fence);
    expect(await attempts()).toEqual([1]);
  });

  it("a late renewal doesn't leave a lane leased to no node", async () => {
    const id = await create();
    await say(1);
    await receiver.count(1);
    const lane = async () =>
      (await parley.query<any>('SELECT fence, leased_until FROM webhook_lanes WHERE webhook_id = $1', [id]))[0]!;
    const { fence } = await eventually(lane, ({ leased_until }) => leased_until === null);
    expect(await renewLanes(parley.database, [{ lane: laneOf(tenant.id, id), fence }])).toEqual([]);
    // The other node may claim the lane too, with its own fence.
    expect(await lane()).not.toMatchObject({ fence, leased_until: expect.anything() });
  });

  it('a lane continues beside a hanging attempt, with events of another node too', async () => {
    setAttemptTimeout(600_000);
    const hanging: ServerResponse[] = [];
    receiver.become(({ event }, response) => {
      if (event.data.message.content === '1') hanging.push(response);
      else response.end();
    });
    const chat = await newChat();
    await create();
    await say(1);
    await receiver.count(1);
    for (const n of [2, 3]) await say(n, chat);
    await receiver.count(3);
    expect(hanging).toHaveLength(1);
    hanging[0]!.end();
  });

  it('a lane continues beside a hanging attempt, even when a claim finds it locked', async () => {
    setAttemptTimeout(600_000);
    const hanging: ServerResponse[] = [];
    const slow = await newChat();
    receiver.become((received, response) => {
      if (chatOf(received) === slow) hanging.push(response);
      else response.end();
    });
    const id = await create();
    await say(2, slow);
    await receiver.count(1);
    // Like a renewal of the lease until its commit.
    const unlock = await lock(id);
    await say(2);
    // Each wakes its node's lanes, so that they claim.
    for (const node of [parley, other, parley, other]) await node.app.get(WebhookDispatcher).poll();
    await unlock();
    await receiver.count(2);
    hanging[0]!.end();
  });

  it.each(['disabled', 'deleted', 'moved', 'rotated'])(
    'a lane sends nothing to the old URL once its webhook is %s',
    async (how) => {
      // No attempt times out, however long the rest takes.
      setAttemptTimeout(600_000);
      const gates: ServerResponse[] = [];
      receiver.become((_, response) => void gates.push(response));
      const elsewhere = await startReceiver();
      const id = await create();
      for (const n of upTo(40)) await say(n * 2);
      await receiver.count(1);
      if (how === 'disabled') await tenant.admin.patch(`/webhooks/${id}`, { isEnabled: false }).expect(200);
      if (how === 'deleted') await tenant.admin.delete(`/webhooks/${id}`).expect(204);
      if (how === 'moved') await tenant.admin.patch(`/webhooks/${id}`, { url: elsewhere.url }).expect(200);
      if (how === 'rotated') await tenant.admin.post(`/webhooks/${id}/rotate-secret`).expect(200);
      receiver.become((_, response) => void response.end());
      gates[0]!.end();
      const signatures = (received: Received[]) =>
        received.slice(1).map(({ headers }) => headers['webhook-signature']!.split(' ').length);
      if (how === 'moved') expect((await elsewhere.count(39)).map(seqOf)).toEqual(upTo(40).slice(1));
      if (how === 'rotated') expect(new Set(signatures(await receiver.count(40)))).toEqual(new Set([2]));
      // If it continued, an attempt would be in flight until all had been sent.
      await until('no attempt is under way', async () => (await attemptsInFlight()) === 0);
      if (how !== 'rotated') expect(receiver.received).toHaveLength(1);
    },
  );

  it("events that a receiver rejects don't delay a lane's other events", async () => {
    const chats = await Promise.all(upTo(20).map(newChat));
    await create();
    receiver.become(async (received, response) => {
      await sleep(20 + Math.random() * 40);
      response.writeHead(chatOf(received) === chats[0] ? 500 : 200).end();
    });
    await Promise.all(upTo(300).map((n) => say(n, chats[n % 20])));
    await receiver.until((all) => new Set(all.map(idOf)).size === 300);
  });

  it("chats with many messages don't delay a lane's other chats, and stay in order", async () => {
    setAttemptTimeout(600_000);
    const hanging: ServerResponse[] = [];
    const chats = await Promise.all(upTo(5).map(newChat));
    const [quiet, ...busy] = chats;
    receiver.become((received, response) => {
      if (chatOf(received) === quiet) response.end();
      else hanging.push(response);
    });
    // The first claim finds all of them, one chat's behind the other's.
    const unlock = await lock(await create());
    for (const chat of busy) await Promise.all(upTo(80).map((n) => say(n, chat)));
    await unlock();
    await receiver.count(4);
    await say(1, quiet);
    await receiver.until((all) => all.some((one) => chatOf(one) === quiet));
    receiver.become((_, response) => void response.end());
    for (const response of hanging) response.end();
    const received = await receiver.count(321);
    for (const chat of busy) expect(received.filter((one) => chatOf(one) === chat).map(seqOf)).toEqual(upTo(80));
  });

  it('a lane ends with a 410 that arrives together with successes', async () => {
    const chats = await Promise.all(upTo(6).map(newChat));
    const open: [Received, ServerResponse][] = [];
    receiver.become((received, response) => void open.push([received, response]));
    const id = await create();
    await Promise.all(chats.map((chat, n) => say(n, chat)));
    await receiver.count(6);
    // The first result is written alone, and the others together: the 410 is among them.
    const [gone, ...others] = open.toSorted(([one]) => (chatOf(one) === chats[0] ? -1 : 1));
    for (const [, response] of others) response.end();
    gone![1].writeHead(410).end();
    const isEnabled = async () => (await tenant.admin.get(`/webhooks/${id}`).expect(200)).body.isEnabled;
    await until('it ends', async () => !(await isEnabled()) && !(await statuses(id)).includes('in_flight'));
    expect((await statuses(id)).toSorted((a: string, b: string) => a.localeCompare(b))).toEqual([
      'dead',
      ...upTo(5).map(() => 'delivered'),
    ]);
  });

  it('a node that shuts down releases its lanes, and another node serves them immediately', async () => {
    const third = await Parley.start(environment, parley.databaseUrl);
    const id = await create();
    const held: ServerResponse[] = [];
    receiver.become((_, response) => void held.push(response));
    const lane = async () =>
      (
        await parley.query<{ is_held: boolean }>(
          'SELECT leased_until > now() AS is_held FROM webhook_lanes WHERE webhook_id = $1',
          [id],
        )
      )[0]!.is_held;
    for (const content of ['a', 'b', 'c'])
      await third.bot(tenant.token).post('/messages', { chatId: tenant.chatId, content }).expect(200);
    await receiver.count(1);
    expect(await lane()).toBe(true);
    receiver.become((_, response) => void response.end());
    const stopping = third.stop();
    const received = await receiver.count(4);
    await stopping;
    expect(received.map(({ event }) => event.data.message.content)).toEqual(['a', 'a', 'b', 'c']);
    expect(idOf(received[0]!)).toBe(idOf(received[1]!));
    for (const response of held) response.destroy();
  });

  it('lanes lose nothing when the database connections are cut repeatedly', async () => {
    const id = await create();
    let isCutting = true;
    const acked: string[] = [];
    const cutter = (async () => {
      while (isCutting) {
        await parley.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'parley'`,
        );
        await sleep(40);
        // On a busy machine nothing would be done between two cuts.
        const before = acked.length;
        await until('something is stored since', () => !isCutting || acked.length > before);
      }
    })();
    const send = async (n: number) => {
      for (;;) {
        const answer = await [tenant.bot, other.bot(tenant.token)]
          [n % 2]!.post('/messages', { chatId: tenant.chatId, content: `${n}` })
          .set('Idempotency-Key', `cut-${n}`);
        if (answer.status === 200) return void acked.push(answer.body.id);
        expect(answer.status).toBe(503);
      }
    };
    for (const batch of upTo(10)) await Promise.all(upTo(10).map((n) => send(batch * 10 + n)));
    isCutting = false;
    await cutter;
    const messageIds = (all: Received[]) => new Set(all.map(({ event }) => event.data.message.id));
    await receiver.until((all) => messageIds(all).size >= 100);
    expect(messageIds(receiver.received)).toEqual(new Set(acked));
    expect(new Set(receiver.received.map(idOf)).size).toBe(100);
    await eventually(
      () => statuses(id),
      (all: string[]) => all.every((status) => status === 'delivered'),
    );
  });
});
