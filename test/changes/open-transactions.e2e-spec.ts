import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { appendMessages } from '../../src/messages/append.queries.js';
import { newId } from '../../src/platform/lib/ids.js';
import { TIME_LIMITS_MS } from '../../src/platform/lib/time-limits.js';
import { until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { stopIndexing } from './support/indexing.js';
import { Follower } from './support/follower.js';

describe('changes of transactions that are open while a reader reads', () => {
  let parley: Parley;
  let other: Parley;
  let tenant: Tenant;
  let follower: Follower;
  let open: pg.Client;

  beforeAll(async () => {
    parley = await Parley.start();
    await stopIndexing(parley);
    other = await Parley.start({}, parley.databaseUrl);
    await stopIndexing(other);
  });
  afterAll(async () => {
    await other.stop();
    await parley.stop();
  });
  beforeEach(async () => {
    tenant = await parley.createTenant();
    follower = new Follower(parley, tenant.id);
    await follower.follow();
    open = new pg.Client(parley.databaseUrl);
    await open.connect();
    await open.query('BEGIN');
  });
  afterEach(() => open.end());

  const send = (content: string, chatId = tenant.chatId, node = parley) =>
    node.bot(tenant.token).post('/messages', { chatId, content });
  /** Stores a message in the open transaction. */
  const sendInside = (content: string, chatId = tenant.chatId) => {
    const sender = { type: 'BOT', id: tenant.botId, name: 'Bot' } as const;
    const said = { id: newId('msg'), type: 'TEXT', content, metadata: null, sender, createdAt: new Date() } as const;
    const none = { clientMessageId: null, replyTo: null, ifOwnerIsBot: false, traceparent: null, startedAt: 0 };
    const message = { ...said, ...none, organizationId: tenant.id, chatId };
    return appendMessages(open as unknown as pg.PoolClient, [{ message, reservation: null }], { waits: true });
  };
  const epoch = async () => Number((await parley.query('SELECT last_value FROM change_epoch'))[0]!.last_value);
  /** Begins to read what there is, and waits until the reader has ended the epoch of these changes. */
  const beginToRead = async () => {
    const before = await epoch();
    const page = follower.read();
    await until('the reader has begun an epoch', async () => (await epoch()) > before);
    return { page };
  };
  const finish = async ({ page }: { page: ReturnType<Follower['read']> }) => {
    await open.query('COMMIT');
    await follower.apply(await page);
    await follower.follow();
    await follower.expectTruth();
  };
  const anotherChat = async () => (await tenant.admin.post('/chats', { visitor: {} }).expect(201)).body.id as string;

  it("a message that is committed after a later chat's is not skipped", async () => {
    const later = await anotherChat();
    await sendInside('early');
    await send('late', later).expect(200);
    await finish(await beginToRead());
    expect(follower.copy.get(tenant.chatId)!.messages).toMatchObject([{ content: 'early' }]);
  });

  it('a message that needed no row of its own is not skipped', async () => {
    await send('first').expect(200);
    await sendInside('second');
    await finish(await beginToRead());
    expect(follower.copy.get(tenant.chatId)!.messages).toMatchObject([{ content: 'first' }, { content: 'second' }]);
  });

  it('a reader whose first pass begins beside an open transaction gets what it does', async () => {
    await sendInside('early');
    follower = new Follower(parley, tenant.id, 'new');
    await finish(await beginToRead());
    expect(follower.copy.get(tenant.chatId)!.messages).toMatchObject([{ content: 'early' }]);
  });

  it('nothing is returned while a transaction stays open, and everything afterwards', async () => {
    await send('first').expect(200);
    await sendInside('second');
    const { request } = TIME_LIMITS_MS;
    TIME_LIMITS_MS.request = 1;
    try {
      expect((await follower.read()).changes).toEqual([]);
    } finally {
      TIME_LIMITS_MS.request = request;
    }
    await open.query('COMMIT');
    await follower.follow();
    await follower.expectTruth();
  });

  it('a transaction that is rolled back leaves nothing to skip', async () => {
    await sendInside('never');
    await send('other', await anotherChat()).expect(200);
    const { page } = await beginToRead();
    await open.query('ROLLBACK');
    await follower.apply(await page);
    await send('now').expect(200);
    await follower.follow();
    await follower.expectTruth();
  });

  it('a reader that reads all the time skips nothing of many writers on two nodes', async () => {
    const chats = [tenant.chatId, await anotherChat(), await anotherChat()];
    let isOver = false;
    const reading = (async () => {
      while (!isOver) await follower.follow();
    })();
    const rounds = Array.from({ length: 40 }, (_, n) => n);
    const write = async (n: number) => {
      const chatId = chats[n % chats.length]!;
      if (n % 13 === 0) await tenant.bot.post(`/chats/${chatId}/close`, {});
      if (n % 7 === 0) await anotherChat();
      await send(`${n}`, chatId, n % 2 ? parley : other);
    };
    await sendInside('held', await anotherChat());
    for (const n of rounds) {
      await Promise.all([write(n), write(n + 1), write(n + 2)]);
      if (n === 20) await open.query('COMMIT');
    }
    isOver = true;
    await reading;
    await follower.follow();
    await follower.expectTruth();
  });
});
