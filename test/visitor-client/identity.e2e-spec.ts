import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import type { VisitorClientOptions, VisitorStorage } from 'parley/visitor';
import { deriveKey } from '../../src/platform/lib/secrets.js';
import { eventually } from '../support/eventually.js';
import { ClientsOnRoad, contents, memory, until } from '../support/observing.js';
import { signIdentity } from '../support/identity.js';
import { Parley, type Tenant } from '../support/parley.js';

const SECRET_KEY = 'the-secret-key-of-client-identity';

describe('identifying the visitor', () => {
  let parley: Parley;
  let tenant: Tenant;
  let clients: ClientsOnRoad;

  beforeAll(async () => {
    parley = await Parley.start({ SECRET_KEY });
  });
  afterAll(() => parley.stop());

  beforeEach(async () => {
    tenant = await parley.createTenant();
    clients = await ClientsOnRoad.to(parley.url, tenant);
  });
  afterEach(() => clients.close());

  /** Each page load is a new client that finds its state in the storage. */
  const load = (options?: Partial<VisitorClientOptions>) => clients.connect(options);
  const identityOf = (sub: string) => signIdentity(tenant, { name: sub, sub });
  const kept = (storage: VisitorStorage) => JSON.parse(storage.getItem(`parley:${tenant.widgetKey}`) ?? 'null');
  const chatsOf = async (token: string) =>
    (await parley.visitor(token).get('/chats').expect(200)).body.chats.map(({ id }: { id: string }) => id);
  /** An anonymous visitor chats and leaves without signing out; the browser keeps its state. */
  const leaveBehind = async (storage: VisitorStorage) => {
    const before = load({ storage });
    const { id } = await before.openChat();
    await before.send('The secret of the first');
    before.close();
    return { id, ...(kept(storage) as { token: string; visitorId: string }) };
  };

  const realFetch = globalThis.fetch;
  /** Holds the next session request until `answer`. */
  const holdSessions = () => {
    let answer = () => undefined as void;
    const held = new Promise<void>((resolve) => (answer = resolve));
    const asked = new Promise<void>((resolve) => {
      globalThis.fetch = async (input, init) => {
        if (init?.method === 'POST' && (input as string).endsWith('/sessions')) {
          globalThis.fetch = realFetch;
          resolve();
          await held;
        }
        return realFetch(input, init);
      };
    });
    return { asked, answer };
  };

  it('the person who signs in after someone opened a second chat continues their own chat', async () => {
    const identityOf = (sub: string) => signIdentity(tenant, { sub });
    const elsewhere = clients.connect({ identity: await identityOf('ada') });
    const { chatId } = await elsewhere.send('I am Ada');
    const client = clients.connect({ identity: await identityOf('bob') });
    await client.send('I am Bob');
    await client.openChat({ isNew: true });
    await client.send('Bob again');
    await client.identify(await identityOf('ada'));
    await until(client.messages, ([message]) => message?.content === 'I am Ada');
    expect(client.chat.value?.id).toBe(chatId);
  });

  it('a sign-in that waits for a message changes nothing after a sign-out', async () => {
    const storage = memory();
    const client = load({ storage });
    await client.send('Hello');
    const identity = await identityOf('ada');
    clients.road.freeze();
    const sending = client.send('Are you there?').catch(() => undefined);
    await until(client.pending, ([message]) => message?.state === 'sending');
    const signingIn = client.identify(identity);
    await client.identify(null);
    clients.road.thaw();
    await Promise.all([signingIn, sending]);
    expect(kept(storage)?.token).toBeUndefined();
    expect(client.chat.value).toBeNull();
  });

  it('signing in keeps the chat that was started on this page, and its unsent messages', async () => {
    const client = load();
    const { id } = await client.openChat();
    await client.send('Who am I?');
    clients.road.cut();
    await until(client.connection, ({ state }) => state === 'offline');
    void client.send('Ada, maybe');
    clients.road.isCut = false;
    await client.identify(await identityOf('ada'));
    expect((await client.openChat()).id).toBe(id);
    await until(client.messages, ({ length }) => length === 2);
    expect(contents(client)).toEqual(['Who am I?', 'Ada, maybe']);
    const { body } = await tenant.bot.get(`/chats/${id}`).expect(200);
    expect(body.visitor).toMatchObject({ name: 'ada', isVerified: true });
  });

  it('the next person sees nothing of a chat found in storage, even if this page continued it', async () => {
    const storage = memory();
    const { id, token } = await leaveBehind(storage);
    const client = load({ storage });
    await client.openChat();
    expect(contents(client)).toEqual(['The secret of the first']);
    await client.identify(await identityOf('bob'));
    expect(contents(client)).toEqual([]);
    const own = await client.openChat();
    await client.send('I am Bob');
    expect([own.id === id, contents(client)]).toEqual([false, ['I am Bob']]);
    expect(kept(storage)).toMatchObject({ chatId: own.id, sub: 'bob' });
    expect([await chatsOf(token), await chatsOf(kept(storage).token)]).toEqual([[id], [own.id]]);
  });

  it("a known person starts without anything of the browser's previous visitor", async () => {
    const storage = memory();
    const { id, token } = await leaveBehind(storage);
    // Their unsent messages must not be sent by the next person.
    clients.road.cut();
    const offline = load({ storage });
    void offline.send('Not for others').catch(() => undefined);
    offline.close();
    clients.road.isCut = false;
    const client = load({ storage, identity: await identityOf('bob') });
    const sent = client.send('I am Bob');
    const own = await client.openChat();
    await sent;
    expect([own.id === id, contents(client), client.pending.value]).toEqual([false, ['I am Bob'], []]);
    expect(await chatsOf(token)).toEqual([id]);
    const { body } = await tenant.bot.get(`/chats/${own.id}/messages`).expect(200);
    expect(body.messages.map(({ content }: any) => content)).toEqual(['I am Bob']);
  });

  it('the same person continues their chat, identified at the start or later', async () => {
    const storage = memory();
    const first = load({ storage, identity: await identityOf('ada') });
    const { id } = await first.openChat();
    await first.send('one');
    first.close();
    const second = load({ storage, identity: await identityOf('ada') });
    expect((await second.openChat()).id).toBe(id);
    await second.send('two');
    second.close();
    const third = load({ storage });
    await third.openChat();
    await third.identify(await identityOf('ada'));
    expect((await third.openChat()).id).toBe(id);
    await until(third.messages, ({ length }) => length === 2);
    expect(contents(third)).toEqual(['one', 'two']);
  });

  it('the client forgets the visitor immediately, even while a message is unanswered', async () => {
    const storage = memory();
    const client = load({ storage });
    await client.openChat();
    clients.road.freeze();
    client.send('On its way').catch(() => undefined);
    await until(client.pending, ([message]) => message?.state === 'sending');
    const forgotten = client.identify(null);
    expect(kept(storage)?.token).toBeUndefined();
    clients.road.thaw();
    await forgotten;
  });

  it('the client ends the token when it forgets the visitor', async () => {
    const storage = memory();
    const { token } = await leaveBehind(storage);
    const client = load({ storage });
    await client.openChat();
    await client.identify(null);
    expect(kept(storage)).toBeNull();
    const ask = () => parley.visitor(token).get('/chats');
    await eventually(ask, ({ status }) => status === 401);
    await client.openChat();
    expect(contents(client)).toEqual([]);
  });

  it('a token is ended after a sign-out without a connection, once it is back', async () => {
    const storage = memory();
    const { token } = await leaveBehind(storage);
    const client = load({ storage });
    await client.openChat();
    clients.road.cut();
    await client.identify(null);
    client.close();
    expect(storage.getItem(`parley:${tenant.widgetKey}`)).toBeNull();
    clients.road.isCut = false;
    await eventually(
      () => parley.visitor(token).get('/chats'),
      ({ status }) => status === 401,
    );
  });

  it('a person whose token was revoked is the same person after a changed profile, and after a renewal', async () => {
    const storage = memory();
    const identity = await identityOf('ada');
    const client = load({ storage, identity });
    const { chatId } = await client.send('I am Ada');
    const { visitorId, token } = kept(storage);
    await parley.visitor(token).delete('/sessions').expect(204);
    await client.setVisitor({ metadata: { plan: 'pro' } });
    expect(kept(storage).visitorId).toBe(visitorId);
    client.close();
    const again = kept(storage);
    await parley.visitor(again.token).delete('/sessions').expect(204);
    const soon = new Date(Date.now() + 10 * 24 * 60 * 60 * 1000).toISOString();
    storage.setItem(`parley:${tenant.widgetKey}`, JSON.stringify({ ...again, expiresAt: soon }));
    expect((await load({ storage, identity }).resumeChat())?.id).toBe(chatId);
    expect(kept(storage).visitorId).toBe(visitorId);
  });

  it.each(['an identity', 'a renewal'])(
    'the client keeps nothing of %s that was requested before the logout',
    async (what) => {
      const storage = memory();
      const identity = await identityOf('ada');
      const before = load({ storage, identity });
      const { id } = await before.openChat();
      await before.send('The secret of Ada');
      before.close();
      const key = `parley:${tenant.widgetKey}`;
      const soon = new Date(Date.now() + 10 * 24 * 60 * 60 * 1000).toISOString();
      if (what === 'an identity') storage.removeItem(key);
      else storage.setItem(key, JSON.stringify({ ...kept(storage), expiresAt: soon }));
      const client = load(what === 'an identity' ? { storage } : { storage, identity });
      const { asked, answer } = holdSessions();
      const pending = (what === 'an identity' ? client.identify(identity) : client.openChat()).catch((e: unknown) => e);
      await asked;
      await client.identify(null);
      answer();
      expect(await pending).toMatchObject({ code: 'interrupted' });
      client.close();
      const next = load({ storage });
      expect((await next.openChat()).id).not.toBe(id);
      expect(contents(next)).toEqual([]);
    },
  );

  it('the client continues as the same person in the same chat when its socket ends with its token', async () => {
    const storage = memory();
    const identity = await identityOf('ada');
    const before = load({ storage, identity });
    const { id } = await before.openChat();
    before.close();
    const short = await new SignJWT({ org: tenant.id })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(kept(storage).visitorId as string)
      .setAudience('parley:visitor')
      .setExpirationTime('6s')
      .sign(deriveKey(SECRET_KEY, 'visitor tokens'));
    // The browser's clock doesn't know that.
    storage.setItem(`parley:${tenant.widgetKey}`, JSON.stringify({ ...kept(storage), token: short }));
    const client = load({ storage, identity });
    await client.openChat();
    await until(client.connection, ({ state }) => state === 'online');
    await client.send('one');
    await until(client.connection, ({ state }) => state === 'offline');
    await tenant.bot.post('/messages', { chatId: id, content: 'two' }).expect(200);
    await client.send('three');
    await until(client.connection, ({ state }) => state === 'online');
    expect(contents(client)).toEqual(['one', 'two', 'three']);
    expect(kept(storage)).toMatchObject({ chatId: id });
    expect(kept(storage).token).not.toBe(short);
  });
});
