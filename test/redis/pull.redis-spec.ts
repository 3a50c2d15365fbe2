import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { PollService } from '../../src/pull/poll.service.js';
import { ActivePolls } from '../../src/pull/active-polls.js';
import { until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { drainInTurn, PullClient, sayInChats } from '../support/pull-client.js';
import { RedisServer } from '../support/redis.js';
import { startNodes } from './support/nodes.js';

describe('polls on several nodes', () => {
  let redis: RedisServer;
  let here: Parley;
  let there: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    redis = await RedisServer.start();
    [here, there] = (await startNodes(redis, {}, undefined, 2)) as [Parley, Parley];
  });
  afterAll(async () => {
    for (const node of [there, here]) await node.stop();
    await redis.kill();
  });
  beforeEach(async () => {
    tenant = await here.createTenant();
    await tenant.bot.put('/subscription', { events: ['message.created'], senderTypes: ['BOT'] }).expect(200);
  });

  const waiting = (node: Parley) =>
    node.app
      .get(ActivePolls)
      .all()
      .filter(({ generation }) => generation !== undefined).length;
  const begin = async (node: Parley): Promise<{ answer: Promise<Response> }> => {
    const before = waiting(node);
    const answer = Promise.resolve(node.bot(tenant.token).get('/events?wait=50'));
    await until('the call waits', () => waiting(node) > before);
    return { answer };
  };
  const say = (content: string) =>
    here.bot(tenant.token).post('/messages', { chatId: tenant.chatId, content }).expect(200);

  it('a message stored on another node wakes waiting polls through Redis', async () => {
    // Events that arrive without a database poll came through Redis.
    const polls = there.app.get(PollService) as unknown as {
      job: { stop(): Promise<void>; hasStopped: boolean; start(): void };
    };
    await polls.job.stop();
    try {
      const { answer } = await begin(there);
      await say('over Redis');
      expect((await answer).body.events).toMatchObject([{ data: { message: { content: 'over Redis' } } }]);
    } finally {
      polls.job.hasStopped = false;
      polls.job.start();
    }
  });

  it('a poll is superseded by a newer one, and finds events, even while Redis is down', async () => {
    const first = await begin(here);
    const second = await begin(there);
    expect((await first.answer).body.code).toBe('superseded');
    await redis.kill();
    try {
      const third = await begin(here);
      expect((await second.answer).body.code).toBe('superseded');
      const fourth = await begin(there);
      expect((await third.answer).body.code).toBe('superseded');
      await say('without Redis');
      expect((await fourth.answer).body.events).toHaveLength(1);
    } finally {
      await redis.restart();
    }
  });

  it.each([
    ['in turn', (clients: PullClient[]) => drainInTurn(clients, 30)],
    ['at once', (clients: PullClient[]) => Promise.all(clients.map((client) => client.drain(300)))],
  ])('two clients, each on its node, complete all of 200 events when they call %s', async (_, drain) => {
    const chats = await sayInChats(tenant, 4, 50);
    const clients = [here, there].map((node) => new PullClient(node.bot(tenant.token), 20));
    await drain(clients);
    expect((await tenant.bot.get('/subscription').expect(200)).body.pending).toBe(0);
    for (const chatId of chats) {
      const seqs = clients.map((client) => client.seqsOf(chatId));
      for (const ofClient of seqs) expect(ofClient).toEqual(ofClient.toSorted((a, b) => a - b));
      expect(new Set(seqs.flat()).size).toBe(50);
    }
  });
});
