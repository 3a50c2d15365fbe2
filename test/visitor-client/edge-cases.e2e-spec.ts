import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { VisitorClientOptions } from 'parley/visitor';
import type { Socket } from 'socket.io';
import { VisitorFeed } from '../../src/live/feeds/visitor-feed.js';
import { ClientsOnRoad, contents, memory, until } from '../support/observing.js';
import { signIdentity } from '../support/identity.js';
import { Parley, type Tenant } from '../support/parley.js';
import type { Road } from '../support/road.js';
import { VisitorSocket } from '../support/visitor.js';

const realFetch = globalThis.fetch;

describe('edge cases of the visitor client', () => {
  let parley: Parley;
  let tenant: Tenant;
  let road: Road;
  let clients: ClientsOnRoad;

  beforeAll(async () => {
    // As with several nodes: REST alone takes the place of WebSockets.
    parley = await Parley.start({ VISITOR_RATE_LIMIT: '50', SOCKET_TRANSPORTS: 'websocket' });
  });
  afterAll(() => parley.stop());

  beforeEach(async () => {
    tenant = await parley.createTenant();
    clients = await ClientsOnRoad.to(parley.url, tenant);
    ({ road } = clients);
  });
  afterEach(async () => {
    globalThis.fetch = realFetch;
    await clients.close();
  });

  const connect = (options?: Partial<VisitorClientOptions>) => clients.connect(options);
  const say = (chatId: string, content: string) => tenant.bot.post('/messages', { chatId, content }).expect(200);
  const namespace = () => parley.app.get(VisitorFeed)['namespace']!;
  const identityOf = (sub: string) => signIdentity(tenant, { sub });

  /** Waits until the client has received everything its socket was sent: it answers in order. */
  const hears = ({ conn }: Socket) => {
    const isAnswered = new Promise((resolve) => conn.once('heartbeat', resolve));
    conn['sendPacket']('ping');
    return isAnswered;
  };

  /** Runs something before each REST request. */
  function onFetch(url: RegExp, meet: () => Promise<Response | null>): void {
    globalThis.fetch = async (input, init) =>
      (url.test(input as string) ? await meet() : null) ?? realFetch(input, init);
  }

  it('the client is in the live feed when the socket connects during a poll', async () => {
    road.refusesSockets = true;
    const client = connect();
    const chat = await client.openChat();
    let release = (): void => undefined;
    const isReleased = new Promise<null>((resolve) => (release = () => resolve(null)));
    await new Promise<void>((resolve) =>
      onFetch(/\/chats$/, () => {
        resolve();
        return isReleased;
      }),
    );
    const hasCome = new Promise<Socket>((resolve) => namespace().once('connection', resolve));
    road.refusesSockets = false;
    await hears(await hasCome);
    release();
    await until(client.connection, ({ state }) => state === 'online');
    await say(chat.id, 'live');
    await until(client.messages, ({ length }) => length === 1);
  });

  it('the client returns to a socket that was temporarily rejected, and uses REST until then', async () => {
    let refusals = 3;
    namespace().use((_socket, next) => {
      if (refusals-- <= 0) return next();
      next(Object.assign(new Error('The database is away'), { data: { code: 'unavailable' } }));
    });
    const client = connect();
    await client.openChat();
    await until(client.connection, ({ state }) => state === 'polling');
    await until(client.connection, ({ state }) => state === 'online');
  });

  it("the client retries less and less often while it's connected but unanswered", async () => {
    const at: number[] = [];
    const refuse = (socket: Socket) => {
      at.push(Date.now());
      socket.use((packet) =>
        (packet.at(-1) as (answer: object) => void)({ ok: false, error: { code: 'unavailable' } }),
      );
    };
    namespace().on('connection', refuse);
    try {
      const client = connect();
      void client.openChat();
      while (at.length < 4) await new Promise((resolve) => namespace().once('connection', resolve));
      expect(at[3]! - at[0]!).toBeGreaterThan(4_500);
    } finally {
      namespace().off('connection', refuse);
    }
  });

  it('the client keeps a connection that recovered by itself after it broke while a chat was being opened', async () => {
    namespace().once('connection', (socket) => socket.use(() => socket.conn.close()));
    const client = connect();
    await client.openChat();
    await until(client.connection, ({ state }) => state === 'online');
    const states: string[] = [];
    client.connection.subscribe(({ state }) => states.push(state));
    // Longer than the client waits before it gives up an unanswered connection.
    await sleep(2_000);
    expect(states).toEqual(['online']);
  });

  it("the client opens a requested chat later when it can't be opened immediately", async () => {
    const storage = memory();
    const client = connect({ storage });
    const first = await client.openChat();
    await until(client.connection, ({ state }) => state === 'online');
    await tenant.admin.patch(`/chats/${first.id}`, { status: 'CLOSED' }).expect(200);
    // The visitor's rate limit for this second is used up.
    const { token } = JSON.parse(storage.getItem(`parley:${tenant.widgetKey}`)!) as { token: string };
    const other = await VisitorSocket.connect(parley.url, token);
    await Promise.all(Array.from({ length: 60 }, () => other.ask('sync', { chatId: first.id, afterSeq: 0 })));
    other.close();
    const opening = client.openChat({ isNew: true });
    await client.send('after all');
    expect((await opening).id).not.toBe(first.id);
    expect(contents(client)).toEqual(['after all']);
  });

  it("the client stays closed when it's closed while it opens a chat or identifies the visitor", async () => {
    const [one, other, last] = [clients.connect(), clients.connect(), clients.connect()];
    await Promise.all([one.openChat(), other.openChat()]);
    one.openChat({ isNew: true }).catch(() => undefined);
    // It has sent the request, and gets no response.
    await new Promise(setImmediate);
    one.close();
    void other
      .identify(async () => {
        other.close();
        return '';
      })
      .catch(() => undefined);
    await last.openChat();
    // While it reconnects, the others stay away.
    clients.road.end();
    await until(last.connection, ({ state }) => state !== 'online');
    await until(last.connection, ({ state }) => state === 'online');
    expect([one, other].map(({ connection }) => connection.value.state)).not.toContain('online');
  });

  it('the client is one visitor in one chat when the storage rejects writes', async () => {
    const storage = {
      ...memory(),
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    };
    const client = connect({ storage });
    const { id } = await client.openChat();
    await client.send('before');
    await client.identify(await identityOf('full'));
    expect((await client.openChat()).id).toBe(id);
    await client.send('after');
    expect(contents(client)).toEqual(['before', 'after']);
  });

  it('the client keeps what each of two tabs wrote offline', async () => {
    const storage = memory();
    const tabs = [connect({ storage }), connect({ storage })];
    const { id } = await tabs[0]!.openChat();
    await tabs[1]!.openChat();
    road.cut();
    for (const tab of tabs) await until(tab.connection, ({ state }) => state === 'offline');
    tabs.forEach((tab, place) => void tab.send(`from tab ${place}`));
    for (const tab of tabs) tab.close();
    road.isCut = false;
    const later = connect({ storage });
    await later.openChat({ chatId: id });
    await until(later.messages, ({ length }) => length === 2);
    expect(contents(later).toSorted()).toEqual(['from tab 0', 'from tab 1']);
    await later.send('done');
    expect(connect({ storage }).pending.value).toEqual([]);
  });

  it.each([503, 429])(
    'the client uses a token that is valid for days when its renewal is answered %i',
    async (status) => {
      const storage = memory();
      const before = connect({ storage });
      const { id } = await before.openChat();
      before.close();
      const key = `parley:${tenant.widgetKey}`;
      const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
      storage.setItem(key, JSON.stringify({ ...JSON.parse(storage.getItem(key)!), expiresAt }));
      const code = status === 503 ? 'unavailable' : 'rate_limited';
      onFetch(/\/sessions$/, () => Promise.resolve(Response.json({ code, detail: '' }, { status })));
      const after = connect({ storage });
      const opened = after.openChat();
      await until(after.connection, ({ state }) => state === 'online');
      expect((await opened).id).toBe(id);
    },
  );

  it("the client doesn't wait for another tab whose site doesn't identify its visitor", async () => {
    let last: Promise<unknown> = Promise.resolve();
    const request = (_name: string, _options: unknown, work: () => unknown) => (last = last.then(work));
    Object.defineProperty(globalThis, 'navigator', { value: { locks: { request } }, configurable: true });
    try {
      void connect({ identity: () => new Promise<string>(() => undefined) }).openChat();
      await connect().openChat();
    } finally {
      Reflect.deleteProperty(globalThis, 'navigator');
    }
  });
});
