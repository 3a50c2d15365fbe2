import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from '../support/eventually.js';
import { VisitorSocket } from '../support/visitor.js';
import { RawSocket } from './support/raw-socket.js';
import { Victim } from './support/victim.js';

/** Messages of about 15 kB in the requested chat: a response with all of them would exceed 3 MB. */
const MESSAGES = 200;
/** Maximum bytes of a response, without the last message that no longer fit. */
const ANSWER = 1_100_000;
/**
 * Megabytes of memory growth allowed while clients don't read: the limit of unsent bytes, and what it takes to produce
 * them.
 */
const GROWTH = 300;

describe("memory with clients that don't read", () => {
  let victim: Victim;
  let tenant: Awaited<ReturnType<Victim['createTenant']>>;

  beforeAll(async () => {
    victim = await Victim.start({ BOT_RATE_LIMIT: '0', VISITOR_RATE_LIMIT: '0', VISITOR_CONNECTION_LIMIT: '0' });
    tenant = await victim.createTenant();
    await victim.fill(tenant.id, tenant.chatId, MESSAGES);
    await tenant.bot.get(`/chats/${tenant.chatId}/messages?limit=200`).expect(200);
  });
  afterAll(() => victim.stop());

  /** Runs `work`, and returns by how many megabytes the process's memory grew. */
  const growth = async (work: () => Promise<void>): Promise<number> => {
    const before = victim.memory;
    let highest = before;
    const timer = setInterval(() => victim.isAlive && (highest = Math.max(highest, victim.memory)), 25);
    await work();
    clearInterval(timer);
    expect(victim.isAlive).toBe(true);
    await tenant.bot.get('/groups').expect(200);
    process.stdout.write(`  grew by ${Math.round(highest - before)} MB: ${expect.getState().currentTestName}\n`);
    return highest - before;
  };

  it('the service survives unread responses to sync', async () => {
    const grown = await growth(async () => {
      const sockets = await Promise.all(upTo(2).map(() => RawSocket.connect(victim.url, tenant.visitorToken)));
      for (const socket of sockets) socket.stopReading();
      // At most as many at a time as the service can answer in time.
      for (const id of upTo(80)) {
        for (const socket of sockets) socket.ask('sync', { chatId: tenant.chatId, afterSeq: 0 }, id);
        if (id % 4 === 0) await settled(victim, 5);
      }
      await settled(victim);
      for (const socket of sockets) socket.close();
    });
    expect(grown).toBeLessThan(GROWTH);
  });

  it('the service survives unread responses, each on its own connection', async () => {
    const grown = await growth(async () => {
      const path = `/api/visitor/chats/${tenant.chatId}/messages?limit=200`;
      const sockets: Socket[] = [];
      for (const count of upTo(200)) {
        sockets.push(await requestUnread(victim, tenant.visitorToken, path, 1));
        if (count % 8 === 0) await settled(victim, 5);
      }
      await settled(victim);
      for (const socket of sockets) socket.destroy();
    });
    expect(grown).toBeLessThan(GROWTH);
  });

  it('the service survives unread responses, many on each connection', async () => {
    const grown = await growth(async () => {
      const path = `/api/visitor/chats/${tenant.chatId}/messages?limit=200`;
      const sockets = await Promise.all(upTo(10).map(() => requestUnread(victim, tenant.visitorToken, path, 200)));
      await settled(victim);
      for (const socket of sockets) socket.destroy();
    });
    expect(grown).toBeLessThan(GROWTH);
  });

  it('the service closes a connection that pipelines requests without waiting for responses', async () => {
    const grown = await growth(async () => {
      for (const path of ['/health/ready', '/no/such/route']) {
        const socket = connect({ host: '127.0.0.1', port: Number(new URL(victim.url).port) });
        socket.on('error', () => undefined).resume();
        const requests = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(10_000);
        for (let part = 0; part < 10 && !socket.destroyed; part++) socket.write(requests);
        await victim.answerTime();
        if (!socket.closed) await once(socket, 'close');
      }
    });
    expect(grown).toBeLessThan(100);
  });

  it('the service closes a WebSocket that should upgrade from polling but does something else', async () => {
    const grown = await growth(async () => {
      for (const act of [(socket: RawSocket) => socket.ping(), (socket: RawSocket) => socket.say('2probe')]) {
        const sid = await beginPolling(victim.url);
        const socket = await RawSocket.probe(victim.url, sid);
        socket.stopReading();
        for (const _ of upTo(20_000)) act(socket);
        await victim.answerTime();
        socket.goOnReading();
        await socket.closed();
      }
    });
    expect(grown).toBeLessThan(100);
  });

  it('the service survives unread lists of chats', async () => {
    const grown = await growth(async () => {
      for (const _ of upTo(30)) {
        const { body } = await victim.admin.below(`/${tenant.id}`).post('/chats', {}).expect(201);
        await victim.fill(tenant.id, body.id, 5);
      }
      const sockets = await Promise.all(upTo(100).map(() => requestUnread(victim, tenant.token, '/api/bot/chats', 3)));
      await settled(victim);
      for (const socket of sockets) socket.destroy();
    });
    expect(grown).toBeLessThan(GROWTH);
  });

  it('the service closes a socket that sends requests and reads no response', async () => {
    const socket = await RawSocket.connect(victim.url, tenant.visitorToken);
    socket.stopReading();
    const grown = await growth(async () => {
      for (const id of upTo(200_000)) {
        socket.say(`42/visitor,${id}["typing",{"chatId":1}]`);
        if (id % 5_000 === 0) await victim.answerTime();
      }
      await settled(victim);
    });
    expect(grown).toBeLessThan(100);
    socket.close();
  });

  it('the service closes a connection that requests one namespace after another', async () => {
    const grown = await growth(async () => {
      const sockets = await Promise.all(upTo(50).map(() => RawSocket.open(victim.url)));
      for (const socket of sockets) socket.stopReading();
      for (const _ of upTo(1_000)) for (const socket of sockets) socket.say(`40/${'n'.repeat(2_000)},{}`);
      await settled(victim);
      for (const socket of sockets) socket.goOnReading();
      for (const socket of sockets) await socket.closed();
    });
    expect(grown).toBeLessThan(100);
  });

  it('the service closes a connection that sends pings and reads no pong', async () => {
    const socket = await RawSocket.connect(victim.url, tenant.visitorToken);
    socket.stopReading();
    const grown = await growth(async () => {
      for (const count of upTo(300_000)) {
        socket.ping();
        if (count % 5_000 === 0) await victim.answerTime();
      }
      await settled(victim);
    });
    expect(grown).toBeLessThan(100);
    socket.close();
  });

  it("the service closes a visitor's socket that doesn't read while others write too much", async () => {
    const listener = await RawSocket.connect(victim.url, tenant.visitorToken);
    listener.ask('chat:open', { chatId: tenant.chatId, afterSeq: MESSAGES });
    await listener.hears(/^43/);
    listener.stopReading();
    for (const _ of upTo(1_200)) {
      const body = { chatId: tenant.chatId, content: 'z'.repeat(5_000), metadata: { pad: 'y'.repeat(10_000) } };
      await tenant.bot.post('/messages', body).expect(200);
    }
    listener.goOnReading();
    await listener.closed();
  });

  it('a client that reads gets all of these chats, page by page', async () => {
    const ids: string[] = [];
    let path = '/chats?limit=50';
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await tenant.bot.get(path).expect(200);
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(ANSWER);
      ids.push(...body.chats.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
      path = `/chats?limit=50&cursor=${cursor}`;
    }
    const { rows } = await victim.database.query('SELECT id FROM chats WHERE organization_id = $1 ORDER BY id DESC', [
      tenant.id,
    ]);
    expect(ids).toEqual(rows.map(({ id }: { id: string }) => id));
  });

  it('a client that reads gets all messages of such a chat', async () => {
    const { body } = await tenant.bot.get(`/chats/${tenant.chatId}/messages?limit=200`).expect(200);
    const bytes = Buffer.byteLength(JSON.stringify(body));
    expect(body.hasMore).toBe(true);
    expect(body.messages.length).toBeGreaterThan(1);
    expect(bytes).toBeLessThan(ANSWER);
    const latest: number = body.latestSeq;
    const visitor = await VisitorSocket.connect(victim.url, tenant.visitorToken);
    const seqs: number[] = [];
    for (let hasMore = true; hasMore;) {
      const part = await visitor.ask('sync', { chatId: tenant.chatId, afterSeq: seqs.at(-1) ?? 0 });
      expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(ANSWER);
      seqs.push(...part.messages.map(({ seq }: { seq: number }) => seq));
      ({ hasMore } = part);
    }
    expect(seqs).toEqual(upTo(latest));
    visitor.close();
  });
});

/** Opens a connection by polling, and returns its id. */
async function beginPolling(url: string): Promise<string> {
  const answer = await fetch(`${url}/socket.io/?EIO=4&transport=polling`);
  return (JSON.parse((await answer.text()).slice(1)) as { sid: string }).sid;
}

/** Sends requests over a connection that reads no response. */
async function requestUnread(victim: Victim, token: string, path: string, times: number): Promise<Socket> {
  const { hostname, port } = new URL(victim.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n\r\n`.repeat(times));
  return socket;
}

/** Waits until the process has handled everything: it answers quickly this many times in a row. */
async function settled(victim: Victim, times = 25): Promise<void> {
  let quick = 0;
  await eventually(
    async () => {
      quick = !victim.isAlive || (await victim.answerTime().catch(() => 0)) < 20 ? quick + 1 : 0;
      return quick;
    },
    (count) => count >= times,
    60_000,
  );
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
