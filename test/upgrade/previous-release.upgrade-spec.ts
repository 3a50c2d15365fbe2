import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rmSync } from 'node:fs';
import pg from 'pg';
import { Client } from '../support/client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { ServiceProcess, temporaryDirectory } from '../support/process.js';
import { freePort } from '../support/ports.mjs';
import { Receiver } from '../support/receiver.js';
import { createTenant } from '../support/tenant.js';
import { VisitorSocket } from '../support/visitor.js';
import { buildPrevious, type Previous } from './support/previous-release.js';

const ADMIN_TOKEN = 'upgrade-admin-token';

/** One node of a cluster during an upgrade. */
class Node {
  private constructor(
    readonly url: string,
    readonly service: ServiceProcess,
  ) {}

  static async start(database: TestDatabase, main?: string): Promise<Node> {
    const PORT = await freePort();
    const environment = {
      PORT,
      DATABASE_URL: database.url,
      DATA_DIR: temporaryDirectory(),
      ADMIN_TOKEN,
      SECRET_KEY: 'upgrade-secret-key',
      DEMO: '0',
      BOT_RATE_LIMIT: '0',
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    };
    return new Node(`http://127.0.0.1:${PORT}`, await ServiceProcess.start(environment, main));
  }

  bot(token: string): Client {
    return new Client(`${this.url}/api/bot`, token);
  }

  async isReady(): Promise<boolean> {
    return (await fetch(`${this.url}/health/ready`)).status === 200;
  }

  async stop(): Promise<void> {
    expect((await this.service.kill('SIGTERM')).code).toBe(0);
  }
}

/** What both releases say of messages: only this one says whether their sender is an AI. */
const alike = (messages: any[]) =>
  messages.map(({ sender, ...message }) => ({ ...message, sender: { ...sender, isAi: undefined } }));

describe("the previous release on this release's schema", () => {
  let previous: Previous;
  let database: TestDatabase;
  let receiver: Receiver;
  let nodes: Node[] = [];
  const sockets: VisitorSocket[] = [];

  const start = async (main?: string) => {
    const node = await Node.start(database, main);
    nodes.push(node);
    return node;
  };
  const tenant = async (node: Node) => {
    const { admin, token, chatId, visitorToken } = await createTenant(node.url, ADMIN_TOKEN);
    const { body: group } = await admin.post('/groups', { name: 'People' }).expect(201);
    await admin.post('/webhooks', { url: receiver.url }).expect(201);
    return { token, groupId: group.id as string, chatId, visitorToken };
  };
  const connect = async (node: Node, token: string) => {
    const socket = await VisitorSocket.connect(node.url, token);
    sockets.push(socket);
    return socket;
  };

  beforeAll(async () => {
    previous = buildPrevious();
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    for (const socket of sockets) socket.close();
    await receiver?.close();
    if (previous) rmSync(previous.main.slice(0, -'dist/src/main.js'.length), { recursive: true });
  });

  const migrated = async () => {
    const client = new pg.Client(database.url);
    await client.connect();
    const { rowCount } = await client.query('SELECT FROM migrations');
    await client.end();
    return rowCount;
  };

  /** Uses every feature of a release over its APIs. */
  const tryEverything = async (node: Node) => {
    expect(await node.isReady()).toBe(true);
    const { token, groupId, chatId, visitorToken } = await tenant(node);
    const bot = node.bot(token);
    const visitor = await connect(node, visitorToken);
    expect(await visitor.ask('chat:open', { chatId })).toMatchObject({ ok: true, latestSeq: 0 });

    const { body: sent } = await bot.post('/messages', { chatId, content: 'from the bot' }).expect(200);
    expect(await visitor.next('message')).toMatchObject({ id: sent.id, seq: 1, content: 'from the bot' });
    expect(await visitor.ask('message:send', { chatId, content: 'from the visitor' })).toMatchObject({ ok: true });
    await bot.post('/transfer', { chatId, targetGroupId: groupId }).expect(200);
    expect(await visitor.next('chat')).toMatchObject({ status: 'QUEUED' });
    const { body: stored } = await bot.get(`/chats/${chatId}/messages`).expect(200);
    expect(stored.messages.map(({ seq }: any) => seq)).toEqual([1, 2, 3]);

    const mine = ({ event }: any) => event.data.chat.id === chatId;
    await receiver.until((received) => received.filter(mine).length >= 4);
    const types = receiver.received.filter(mine).map(({ event }) => event.type as string);
    expect(types.sort()).toEqual(['chat.transferred', 'message.created', 'message.created', 'message.created']);
    return { token, chatId, visitorToken };
  };

  describe('migrated by a node of this release', () => {
    beforeAll(async () => {
      database = await createDatabase({ isMigrated: false });
    });
    afterAll(async () => {
      await Promise.all(nodes.splice(0).map((node) => node.stop()));
      await database.drop();
    });

    it('the previous release keeps serving without a failed request while this one migrates and joins it', async () => {
      const old = await start(previous.main);
      const before = await migrated();
      const { token, chatId, visitorToken } = await tenant(old);
      const visitor = await connect(old, visitorToken);
      await visitor.ask('chat:open', { chatId });
      const statuses: number[] = [];
      let slowest = 0;
      let isDone = false;
      const traffic = (async () => {
        for (let count = 1; !isDone; count++) {
          const since = performance.now();
          statuses.push((await old.bot(token).post('/messages', { chatId, content: `${count}` })).status);
          slowest = Math.max(slowest, performance.now() - since);
        }
      })();
      const late = await start();
      expect(await migrated()).toBe(before! + previous.missing);
      expect([await late.isReady(), await old.isReady()]).toEqual([true, true]);
      const { body: sent } = await late.bot(token).post('/messages', { chatId, content: 'late' }).expect(200);
      isDone = true;
      await traffic;
      expect(statuses.filter((status) => status !== 200)).toEqual([]);
      expect(statuses.length).toBeGreaterThan(20);
      expect(slowest).toBeLessThan(4_000);

      // Messages stored by one node are read through the other, in one sequence.
      const total = statuses.length + 1;
      const afterSeq = Math.max(0, total - 50);
      const pages = await Promise.all(
        [old, late].map((node) => node.bot(token).get(`/chats/${chatId}/messages?afterSeq=${afterSeq}&limit=200`)),
      );
      const [byOld, byLate] = pages.map(({ body }) => ({ ...body, messages: alike(body.messages) }));
      expect(byOld).toEqual(byLate);
      expect(pages[0]!.body.latestSeq).toBe(total);
      expect(pages[0]!.body.messages.map(({ id }: any) => id)).toContain(sent.id);
      const missed = await visitor.ask('sync', { chatId, afterSeq });
      expect(missed.messages.map(({ id }: any) => id)).toContain(sent.id);
      await receiver.until(
        (received) =>
          new Set(received.filter(({ event }) => event.data.chat.id === chatId).map(({ event }) => event.id)).size ===
          total,
      );
    });

    it('the previous release starts and works on the new schema, and so does this release beside it', async () => {
      const [old, late] = [await start(previous.main), nodes.at(1)!];
      const { token, chatId, visitorToken } = await tryEverything(old);
      await tryEverything(late);

      const visitor = await connect(late, visitorToken);
      expect(await visitor.ask('chat:open', { chatId, afterSeq: 3 })).toMatchObject({ ok: true, latestSeq: 3 });
      const key = { 'Idempotency-Key': 'across-releases' };
      const message = { chatId, content: 'once' };
      const { body: first } = await old.bot(token).post('/messages', message).set(key).expect(200);
      const again = await late.bot(token).post('/messages', message).set(key).expect(200);
      expect([again.body, again.headers['idempotent-replayed']]).toEqual([first, 'true']);
      const { body: answer } = await late.bot(token).post('/messages', { chatId, content: 'on this one' }).expect(200);
      const { body: seen } = await old.bot(token).get(`/chats/${chatId}/messages?afterSeq=3`).expect(200);
      expect(seen.messages.map(({ id }: any) => id)).toEqual([first.id, answer.id]);
      const { messages } = await visitor.ask('sync', { chatId, afterSeq: 3 });
      expect(alike(messages)).toEqual(alike(seen.messages));
    });
  });
});
