import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Timings } from '../../src/live/feeds/timings.js';
import { eventually } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { RedisServer } from '../support/redis.js';
import type { VisitorSocket } from '../support/visitor.js';
import { startNodes } from './support/nodes.js';

describe('live text on several nodes', () => {
  let redis: RedisServer;
  let nodes: Parley[];
  let here: Parley;
  let there: Parley;
  let third: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    redis = await RedisServer.start();
    nodes = await startNodes(redis);
    [here, there, third] = nodes as [Parley, Parley, Parley];
  });
  afterAll(async () => {
    for (const node of nodes.toReversed()) await node.stop();
    await redis.kill();
  });
  beforeEach(async () => {
    for (const node of nodes) Object.assign(node.app.get(Timings), new Timings(), { seqHints: 600_000 });
    tenant = await here.createTenant();
  });

  const write = (node: Parley, text?: string, isTyping = true) =>
    node.bot(tenant.token).post(`/chats/${tenant.chatId}/typing`, { isTyping, text }).expect(200);
  const say = (node: Parley, content: string) =>
    node.bot(tenant.token).post('/messages', { chatId: tenant.chatId, content }).expect(200);
  const listen = async (node: Parley): Promise<VisitorSocket> => {
    const visitor = await node.connectVisitor(tenant.visitorToken);
    expect(await visitor.ask('chat:open', { chatId: tenant.chatId })).toMatchObject({ ok: true });
    return visitor;
  };
  const textsAt = (visitor: VisitorSocket) => visitor.all('typing').map(({ text, isTyping }) => text ?? isTyping);

  it('live text reaches other nodes, with the newest last, from any node', async () => {
    // At the product's 100 ms, each of 20 slow writes may be sent.
    for (const node of nodes) node.app.get(Timings).texts = 1_000;
    const [one, other] = [await listen(there), await listen(third)];
    const texts = Array.from({ length: 20 }, (_, index) => 'x'.repeat(index + 1));
    for (const [index, text] of texts.entries()) await write(nodes[index % 3]!, text);
    for (const visitor of [one, other]) {
      await visitor.until(() => textsAt(visitor).at(-1) === texts.at(-1));
      const times = visitor.all('typing').map(({ at }) => at as number);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      const lengths = textsAt(visitor).map((text) => text.length);
      expect(lengths).toEqual(lengths.toSorted((a: number, b: number) => a - b));
      expect(lengths.length).toBeLessThan(texts.length);
    }
  });

  it('live text ends with the message and with the end of typing on any node, and no older text arrives after it', async () => {
    for (const node of nodes) node.app.get(Timings).texts = 600_000;
    const [visitor, atTheOther] = [await listen(third), await listen(here)];
    await write(here, 'Hel');
    await visitor.next('typing');
    await write(here, 'Hello');
    await say(there, 'Hello there');
    const seen = () =>
      visitor.arrivals
        .filter(({ event }) => event === 'typing' || event === 'message')
        .map(({ payload }) => payload.content ?? payload.text ?? payload.isTyping);
    await visitor.until(() => seen().length === 3);
    expect(seen()).toEqual(['Hel', 'Hello there', false]);
    // The node that received the text no longer stores it, even without listeners.
    atTheOther.close();
    const late = await listen(there);
    await write(there, 'Next');
    expect(await late.next('typing')).toMatchObject({ text: 'Next', afterSeq: 1 });
    await write(here, undefined, false);
    expect(await late.next('typing')).toMatchObject({ isTyping: false });
    const last = await listen(third);
    await say(third, 'more');
    await last.next('message');
    expect(textsAt(last)).toEqual([]);
  });

  it('a client that opens the chat on another node gets the live text after the response', async () => {
    await write(here, 'Hello');
    const visitor = await third.connectVisitor(tenant.visitorToken);
    expect(await visitor.arrivedBefore('chat:open', { chatId: tenant.chatId })).toEqual([]);
    expect(await visitor.next('typing')).toMatchObject({ text: 'Hello', afterSeq: 0 });
    const tab = await listen(third);
    expect(await tab.next('typing')).toMatchObject({ text: 'Hello' });
    // The next client gets a newer text that another node received.
    await write(there, 'Hello there');
    const late = await listen(third);
    await late.until(() => textsAt(late).includes('Hello there'));
    expect(textsAt(late).at(-1)).toBe('Hello there');
  });

  it('live text ends on another node when its remaining time is over', async () => {
    for (const node of nodes) node.app.get(Timings).typing = 2_000;
    await write(here, 'Hello');
    const visitor = await listen(third);
    expect(await visitor.next('typing')).toMatchObject({ text: 'Hello' });
    expect(await visitor.next('typing')).toMatchObject({ isTyping: false });
  });

  it('live text leaves no key and no channel behind', async () => {
    const channels = async () => (await redis.channels()).filter((name) => name.endsWith(tenant.chatId));
    await write(here, 'Hello');
    await eventually(channels, ({ length }) => length === 1);
    await say(there, 'Hello there');
    await eventually(channels, ({ length }) => length === 0);
    expect(await redis.keys()).toEqual([]);
  });

  it("a visitor's live text reaches the chat's agent on another node, and ends when another agent gets it", async () => {
    for (const node of nodes) node.app.get(Timings).texts = 0;
    await here.admin.patch(`/${tenant.id}`, { typingPreview: true }).expect(200);
    const [{ id: groupId }] = (await tenant.bot.get('/groups').expect(200)).body;
    const [ada, bob] = [
      await here.signInAgent(tenant, { groupIds: [groupId] }),
      await here.signInAgent(tenant, { groupIds: [groupId], name: 'Bob' }),
    ];
    await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
    const adas = await there.connectAgent(ada.token);
    await adas.ask('chat:follow', { chatId: tenant.chatId });
    const visitor = await listen(here);
    // The visitor's node learns within a moment that agents are connected to another node.
    await eventually(
      async () => {
        await visitor.ask('typing', { chatId: tenant.chatId, isTyping: true, text: 'for Ada' });
        return textsAt(adas);
      },
      (texts) => texts.includes('for Ada'),
    );
    await ada.client.post(`/chats/${tenant.chatId}/transfer`, { agentId: bob.id }).expect(200);
    await adas.until(() => textsAt(adas).includes(false));
    await visitor.ask('typing', { chatId: tenant.chatId, isTyping: true, text: 'for Bob' });
    const bobs = await third.connectAgent(bob.token);
    await bobs.ask('chat:follow', { chatId: tenant.chatId });
    expect(await bobs.next('typing')).toMatchObject({ text: 'for Bob' });
    expect(textsAt(adas)).not.toContain('for Bob');
  });
});
