import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { VisitorClient, VisitorClientOptions } from 'parley/visitor';
import { eventually } from '../support/eventually.js';
import { ClientsOnRoad, contents, memory, until } from '../support/observing.js';
import { Parley, type Tenant } from '../support/parley.js';
import type { Road } from '../support/road.js';

describe('the visitor client', () => {
  let parley: Parley;
  let tenant: Tenant;
  let road: Road;
  let clients: ClientsOnRoad;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());

  beforeEach(async () => {
    tenant = await parley.createTenant();
    clients = await ClientsOnRoad.to(parley.url, tenant);
    ({ road } = clients);
  });
  afterEach(() => clients.close());

  const connect = (options?: Partial<VisitorClientOptions>) => clients.connect(options);
  const say = (chatId: string, content: string) => tenant.bot.post('/messages', { chatId, content }).expect(200);
  const seqs = (client: VisitorClient) => client.messages.value.map(({ seq }) => seq);
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const has = (count: number) => (messages: readonly unknown[]) => messages.length >= count;

  /** A chat's stored messages. */
  const stored = async (chatId: string) =>
    (
      await parley.query<{ content: string }>('SELECT content FROM messages WHERE chat_id = $1 ORDER BY seq', [chatId])
    ).map(({ content }) => content);

  it("the client opens a chat, sends, and receives the bot's messages in order", async () => {
    const client = connect();
    expect(client.connection.value.state).toBe('idle');
    expect(client.hasChat()).toBe(false);
    const chat = await client.openChat();
    await until(client.connection, ({ state }) => state === 'online');
    expect(client.hasChat()).toBe(true);
    expect(chat).toMatchObject({ status: 'ACTIVE', messageCount: 0 });

    const heard: string[] = [];
    client.onMessage(({ content }) => heard.push(content));
    const sent = await client.send('hello');
    expect(sent).toMatchObject({ seq: 1, content: 'hello', sender: { type: 'VISITOR' } });
    await say(chat.id, 'hi');
    await until(client.messages, has(2));
    expect(contents(client)).toEqual(['hello', 'hi']);
    expect(heard).toEqual(['hello', 'hi']);
    expect(client.pending.value).toEqual([]);
    expect(client.unread.value).toBe(1);
    client.read();
    expect(client.unread.value).toBe(0);
  });

  it('the client is the same visitor in the same chat after a reload, and in another tab', async () => {
    const storage = memory();
    const first = connect({ storage });
    const chat = await first.openChat();
    await first.send('one');
    const second = connect({ storage });
    expect(second.hasChat()).toBe(true);
    expect((await second.openChat()).id).toBe(chat.id);
    expect(contents(second)).toEqual(['one']);
    await Promise.all([first.send('two'), second.send('three')]);
    for (const client of [first, second]) {
      await until(client.messages, has(3));
      expect(contents(client)).toEqual(await stored(chat.id));
    }
  });

  it('the client misses nothing, duplicates nothing, and keeps the order when the connection breaks repeatedly', async () => {
    const client = connect();
    const { id } = await client.openChat();
    for (const round of range(1, 5)) {
      await say(id, `before ${round}`);
      road.end();
      await say(id, `while ${round}`);
      void client.send(`mine ${round}`);
      await until(client.messages, has(round * 3));
    }
    await until(client.pending, (pending) => pending.length === 0);
    expect(seqs(client)).toEqual(range(1, 15));
    expect(contents(client)).toEqual(await stored(id));
  });

  it('the client keeps messages written offline, even over a reload, and sends them once and in order', async () => {
    const storage = memory();
    const client = connect({ storage });
    const { id } = await client.openChat();
    road.cut();
    await until(client.connection, ({ state }) => state === 'offline');
    const sends = [client.send('one'), client.send('two')];
    expect(client.pending.value.map(({ content, state }) => [content, state])).toEqual([
      ['one', 'queued'],
      ['two', 'queued'],
    ]);
    const reloaded = connect({ storage });
    expect(reloaded.pending.value.map(({ content }) => content)).toEqual(['one', 'two']);
    void reloaded.openChat();
    road.isCut = false;
    await Promise.all(sends);
    await until(reloaded.pending, (pending) => pending.length === 0);
    await until(reloaded.messages, has(2));
    expect(contents(reloaded)).toEqual(['one', 'two']);
    expect(await stored(id)).toEqual(['one', 'two']);
  });

  it('the client retries a message whose response was lost, without a second message', async () => {
    const client = connect();
    const { id } = await client.openChat();
    road.losesAnswers = true;
    const sent = client.send('only once');
    await eventually(
      () => stored(id),
      ({ length }) => length > 0,
    );
    road.losesAnswers = false;
    road.end();
    expect(await sent).toMatchObject({ seq: 1, content: 'only once' });
    expect(contents(client)).toEqual(['only once']);
    expect(await stored(id)).toEqual(['only once']);
  });

  it("the client waits for a service that isn't up yet", async () => {
    road.cut();
    const client = connect();
    const opening = client.openChat();
    const sent = client.send('early');
    await until(client.connection, ({ state }) => state === 'offline');
    road.isCut = false;
    const chat = await opening;
    await sent;
    expect(await stored(chat.id)).toEqual(['early']);
  });

  it('the client switches to REST without a socket, and returns to a socket', async () => {
    road.refusesSockets = true;
    const client = connect();
    const chat = await client.openChat();
    await until(client.connection, ({ state }) => state === 'polling');
    await client.send('over REST');
    await say(chat.id, 'polled');
    await until(client.messages, has(2));
    road.refusesSockets = false;
    await until(client.connection, ({ state }) => state === 'online');
    await say(chat.id, 'live');
    await until(client.messages, has(3));
    expect(contents(client)).toEqual(['over REST', 'polled', 'live']);
  });

  it('the client starts a long chat at its end, and loads earlier pages', async () => {
    const storage = memory();
    const client = connect({ storage });
    const { id } = await client.openChat();
    for (const part of range(0, 4)) {
      await Promise.all(range(1, 64).map((place) => say(id, `${part * 64 + place}`)));
    }
    await until(client.messages, has(320));
    client.close();

    for (const kept of [storage, { ...memory(), ...withoutHint(storage) }]) {
      const later = connect({ storage: kept });
      await later.openChat();
      expect(later.messages.value.at(-1)?.seq).toBe(320);
      expect(later.messages.value.length).toBeLessThanOrEqual(200);
      while (await later.loadEarlier()) expect(seqs(later)).toEqual(range(321 - later.messages.value.length, 320));
      expect(contents(later)).toEqual(await stored(id));
      expect(later.hasEarlier.value).toBe(false);
    }
  });

  it('the client loads earlier messages that are too large for one response', async () => {
    const storage = memory();
    const client = connect({ storage });
    const { id } = await client.openChat();
    // 40 kB each as JSON: 25 of them fit into a response.
    const body = { chatId: id, content: '\u0001'.repeat(5_000), metadata: { pad: 'x'.repeat(10_000) } };
    for (let part = 0; part < 8; part++)
      await Promise.all(range(1, 10).map(() => tenant.bot.post('/messages', body).expect(200)));
    client.close();
    const later = connect({ storage });
    await later.openChat();
    expect(later.hasEarlier.value).toBe(true);
    while (await later.loadEarlier());
    expect(seqs(later)).toEqual(range(1, 80));
  });

  // Like a browser whose storage was written on another day.
  function withoutHint(storage: ReturnType<typeof memory>): ReturnType<typeof memory> {
    const copy = memory();
    const key = `parley:${tenant.widgetKey}`;
    const kept = JSON.parse(storage.getItem(key) ?? '{}') as Record<string, unknown>;
    copy.setItem(key, JSON.stringify({ ...kept, latestSeq: 1 }));
    return copy;
  }

  it("the client starts a new session when the service doesn't know its own", async () => {
    const storage = memory();
    const key = `parley:${tenant.widgetKey}`;
    const kept = { token: 'broken', expiresAt: '2999-01-01T00:00:00.000Z', visitorId: 'vis_x', chatId: 'cht_x' };
    storage.setItem(key, JSON.stringify(kept));
    const client = connect({ storage });
    const chat = await client.openChat();
    expect(chat.id).not.toBe('cht_x');
    await client.send('still works');
    expect(JSON.parse(storage.getItem(key)!)).toMatchObject({ chatId: chat.id });
  });

  it("the client reports why it's rejected, and stops retrying", async () => {
    const client = connect({ widgetKey: 'prl_wk_unknown' });
    await expect(client.openChat()).rejects.toMatchObject({ code: 'not_found' });
    expect(client.connection.value).toMatchObject({ state: 'refused', error: { code: 'not_found' } });
  });

  it('a rejected message stays as failed, later ones are sent, and it can be discarded', async () => {
    const client = connect();
    const { id } = await client.openChat();
    const [bad, good] = [client.send('x'.repeat(5001)), client.send('good')];
    await expect(bad).rejects.toMatchObject({ code: 'validation_failed' });
    await good;
    expect(client.pending.value).toMatchObject([{ state: 'failed', error: { code: 'validation_failed' } }]);
    client.discard(client.pending.value[0]!.clientMessageId);
    expect(client.pending.value).toEqual([]);
    expect(await stored(id)).toEqual(['good']);
  });

  it('a failed message is shown in the chat it was written for', async () => {
    const client = connect();
    // Written before a chat exists, it belongs to the first one that opens.
    const failing = client.send('x'.repeat(5001));
    await expect(failing).rejects.toMatchObject({ code: 'validation_failed' });
    const first = client.chat.value!;
    await client.closeChat();
    expect((await client.openChat({ isNew: true })).id).not.toBe(first.id);
    expect(client.pending.value).toEqual([]);
    await client.openChat({ chatId: first.id });
    const [failed] = client.pending.value;
    expect(failed).toMatchObject({ state: 'failed' });
    client.discard(failed!.clientMessageId);
    expect(client.pending.value).toEqual([]);
  });

  it('a message for a deleted chat is kept, and sent into another one on request', async () => {
    const client = connect();
    const first = await client.openChat();
    road.cut();
    await until(client.connection, ({ state }) => state === 'offline');
    client.send('still here?').catch(() => undefined);
    await parley.query('DELETE FROM chats WHERE id = $1', [first.id]);
    road.isCut = false;
    await until(client.pending, ([message]) => message?.state === 'failed');
    const { id } = client.chat.value!;
    expect([id === first.id, await stored(id)]).toEqual([false, []]);
    client.retry(client.pending.value[0]!.clientMessageId);
    await until(client.messages, has(1));
    expect([client.pending.value, await stored(id)]).toEqual([[], ['still here?']]);
  });

  it('the client starts another chat after one was closed', async () => {
    const client = connect();
    const first = await client.openChat();
    await client.send('bye');
    await tenant.admin.patch(`/chats/${first.id}`, { status: 'CLOSED' }).expect(200);
    await until(client.chat, (chat) => chat?.status === 'CLOSED');
    const second = await client.openChat({ isNew: true });
    expect(second.id).not.toBe(first.id);
    expect(client.messages.value).toEqual([]);
    await client.send('again');
    expect(await stored(second.id)).toEqual(['again']);
  });
});
