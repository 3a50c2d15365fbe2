import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { eventually } from '../support/eventually.js';
import { Stranger } from './support/ask.js';
import { RawSocket } from './support/raw-socket.js';
import { Victim } from './support/victim.js';

const POOL = 4;

type Tenant = Awaited<ReturnType<Victim['createTenant']>>;

describe('resource exhaustion', () => {
  let victim: Victim;
  let attacked: Tenant;
  let other: Tenant;
  let attacker: Stranger;
  let bystander: Stranger;

  beforeAll(async () => {
    victim = await Victim.start({ DATABASE_POOL_SIZE: String(POOL), NEW_VISITOR_LIMIT: '0' });
    [attacked, other] = [await victim.createTenant(), await victim.createTenant()];
  });
  afterAll(() => victim.stop());
  beforeEach(() => {
    attacker = new Stranger('127.0.2.1', victim.url, { connections: 256 });
    bystander = new Stranger('127.0.2.2', victim.url);
  });
  afterEach(() => {
    attacker.close();
    bystander.close();
  });

  /** The statuses that the bot of another organization gets. */
  const sendAsOther = async (times: number): Promise<number[]> => {
    const statuses: number[] = [];
    for (let count = 0; count < times; count++) {
      const { status } = await other.bot.post('/messages', { chatId: other.chatId, content: `${count}` });
      statuses.push(status);
    }
    return statuses;
  };
  const allGood = (times: number) => Array.from({ length: times }, () => 200);

  it('1,000 namespace requests on each of 4 connections close these connections, and starve no one', async () => {
    const sockets = await Promise.all([1, 2, 3, 4].map(() => RawSocket.open(victim.url, '127.0.2.1')));
    for (let count = 0; count < 1_000; count++)
      for (const socket of sockets) socket.say(`40/visitor,${JSON.stringify({ token: attacked.visitorToken })}`);
    expect(await sendAsOther(19)).toEqual(allGood(19));
    for (const socket of sockets) await socket.closed();
  });

  describe('requests that wait in the database', () => {
    let holder: pg.Client;

    beforeEach(async () => {
      holder = new pg.Client(victim.databaseUrl);
      await holder.connect();
      await holder.query('BEGIN');
      // The chat is closed: opening another one makes each request wait for the visitor's row.
      await holder.query(`UPDATE chats SET status = 'CLOSED' WHERE id = $1`, [attacked.chatId]);
      await holder.query('COMMIT');
      await holder.query('BEGIN');
      await holder.query('SELECT FROM visitors WHERE id = $1 FOR UPDATE', [attacked.visitorId]);
    });
    afterEach(async () => {
      await holder.query('ROLLBACK');
      await holder.end();
    });

    const waiting = async (): Promise<number> => {
      const { rows } = await victim.database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length;
    };

    it("visitors' requests that wait in the database leave connections for bots", async () => {
      const begun = Array.from({ length: 90 }, () =>
        attacker.ask('POST', '/api/visitor/chats', attacked.visitorToken, {}).catch(() => null),
      );
      await eventually(waiting, (count) => count > 0);
      expect(await sendAsOther(20)).toEqual(allGood(20));
      expect(await waiting()).toBeLessThanOrEqual(POOL / 2);
      await Promise.all(begun);
    });
  });

  it('a flood from one address barely delays the visitors of another', async () => {
    const { body } = await bystander.ask('POST', '/api/visitor/sessions', undefined, { widgetKey: other.widgetKey });
    const tokens: string[] = [];
    for (let count = 0; count < 10; count++) {
      const session = await attacker.ask('POST', '/api/visitor/sessions', undefined, { widgetKey: attacked.widgetKey });
      tokens.push(session.body.token);
    }
    let isOver = false;
    const flood = Promise.all(
      Array.from({ length: 200 }, async (_, place) => {
        while (!isOver)
          await attacker.ask('GET', '/api/visitor/chats', tokens[place % tokens.length]).catch(() => null);
      }),
    );
    const statuses: number[] = [];
    for (let count = 0; count < 20; count++)
      statuses.push((await bystander.ask('GET', '/api/visitor/chats', body.token)).status);
    isOver = true;
    await flood;
    expect(statuses).toEqual(allGood(20));
  });

  it('a visitor who sends too much over a socket is rejected, and disconnected if they continue', async () => {
    const socket = await RawSocket.connect(victim.url, attacked.visitorToken);
    const say = (times: number) => {
      for (let id = 1; id <= times; id++) socket.ask('typing', { chatId: attacked.chatId, isTyping: true }, id);
    };
    say(200);
    await socket.hears(/^43\/visitor,200\[.*rate_limited/);
    say(5_000);
    await socket.closed();
  });
});
