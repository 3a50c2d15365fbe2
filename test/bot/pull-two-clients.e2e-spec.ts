import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { SubscriptionUpkeep } from '../../src/pull/subscription-upkeep.js';
import { ignoreDocuments } from '../support/check-answers.js';
import { Parley, type Tenant } from '../support/parley.js';
import { drainInTurn, PullClient, sayInChats } from '../support/pull-client.js';
import { movedByDays } from '../support/times.js';

describe("two clients that poll one bot's events", () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    await tenant.bot.put('/subscription', { events: ['message.created'], senderTypes: ['BOT'] }).expect(200);
  });

  const say = (content: string) => tenant.bot.post('/messages', { chatId: tenant.chatId, content }).expect(200);
  const poll = async (query = '') => (await tenant.bot.get(`/events?wait=0${query}`).expect(200)).body;
  const ackOf = ({ ack }: any) => `&ack=${ack}`;
  const wordsOf = ({ events }: any): string[] => events.map(({ data }: any) => data.message.content);
  const pending = async () => (await tenant.bot.get('/subscription').expect(200)).body.pending as number;
  const answers = () =>
    parley.query<{ generation: string }>('SELECT generation FROM subscription_answers WHERE organization_id = $1', [
      tenant.id,
    ]);

  it.each([
    ['in turn', (clients: PullClient[]) => drainInTurn(clients, 30)],
    ['at once', (clients: PullClient[]) => Promise.all(clients.map((client) => client.drain(300)))],
  ])('two clients complete all of 200 events when they call %s, each in the order of its chat', async (_, drain) => {
    const chats = await sayInChats(tenant, 4, 50);
    const clients = [new PullClient(tenant.bot, 20), new PullClient(tenant.bot, 20)];
    await drain(clients);
    expect(await pending()).toBe(0);
    for (const chatId of chats) {
      const seqs = clients.map((client) => client.seqsOf(chatId));
      for (const ofClient of seqs) expect(ofClient).toEqual(ofClient.toSorted((a, b) => a - b));
      expect(new Set(seqs.flat()).size).toBe(50);
    }
  });

  it('an ack completes exactly the events of its own response, in any order, and only once', async () => {
    for (const content of ['1', '2', '3', '4', '5']) await say(content);
    const two = await poll('&limit=2');
    const four = await poll('&limit=4');
    const one = await poll('&limit=1');
    expect(wordsOf(await poll(ackOf(two)))).toEqual(['3', '4', '5']);
    expect(wordsOf(await poll(ackOf(two)))).toEqual(['3', '4', '5']);
    expect(wordsOf(await poll(ackOf(one)))).toEqual(['3', '4', '5']);
    await say('6');
    expect(wordsOf(await poll(ackOf(four)))).toEqual(['5', '6']);
    expect(wordsOf(await poll(ackOf(four)))).toEqual(['5', '6']);
    expect(await pending()).toBe(2);
  });

  it("an ack doesn't complete an event that commits late among an older response's events", async () => {
    ignoreDocuments();
    const holder = new pg.Client({ connectionString: parley.databaseUrl });
    await holder.connect();
    try {
      await say('first');
      await holder.query('BEGIN');
      await holder.query(
        `INSERT INTO deliveries (organization_id, receiver_id, id, position, chat_id, event_type, payload, created_at)
         SELECT organization_id, id, 'dlv_late', nextval('deliveries_position'), 'cht_late', 'message.created',
           '{"data":{"message":{"content":"late"}}}', now()
         FROM subscriptions WHERE bot_id = $1`,
        [tenant.botId],
      );
      await say('last');
      const older = await poll();
      expect(wordsOf(older)).toEqual(['first', 'last']);
      await holder.query('COMMIT');
      expect(wordsOf(await poll())).toEqual(['first', 'late', 'last']);
      expect(wordsOf(await poll(ackOf(older)))).toEqual(['late']);
    } finally {
      await holder.end();
    }
  });

  it('the newest 100 unacknowledged responses are kept, across clients', async () => {
    await say('1');
    for (let ack = '', calls = 0; calls < 5; calls++) ack = ackOf(await poll(ack));
    expect(await answers()).toEqual([]);
    await say('2');
    const forgotten = await poll();
    const oldest = await poll();
    for (let calls = 0; calls < 100; calls++) await poll();
    expect(await answers()).toHaveLength(100);
    expect(wordsOf(await poll(`&limit=1${ackOf(forgotten)}`))).toEqual(['2']);
    await tenant.bot.delete('/subscription').expect(204);
    expect(await answers()).toEqual([]);
    await tenant.bot.put('/subscription', { events: ['message.created'], senderTypes: ['BOT'] }).expect(200);
    await say('3');
    expect(wordsOf(await poll(ackOf(oldest)))).toEqual(['3']);
  });

  it('both clients see a gap until one of them acknowledges a response that reported all of it', async () => {
    const drop = async (content: string) => {
      await say(content);
      await parley.query(
        `UPDATE deliveries SET created_at = ${movedByDays('created_at', -8)} WHERE organization_id = $1`,
        [tenant.id],
      );
      await parley.app.get(SubscriptionUpkeep).run(new Date());
    };
    await drop('one');
    const part = await poll();
    await drop('two');
    const whole = await poll();
    const newest = await poll(ackOf(part));
    expect([part, whole, newest].map(({ gap }) => gap.droppedEvents)).toEqual([1, 2, 2]);
    expect(await poll(ackOf(whole))).not.toHaveProperty('gap');
    expect(await poll(ackOf(newest))).not.toHaveProperty('gap');
  });
});
