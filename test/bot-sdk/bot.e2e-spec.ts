import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import {
  type Bot,
  type BotOptions,
  createBot,
  type MessageTurn,
  SupersededError,
} from '../../packages/bot/src/index.js';
import { eventually, until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Proxy } from './support/proxy.js';

/** A promise, and the function that resolves it. */
function gateOf<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((open) => {
    resolve = open;
  });
  return { promise, resolve };
}

describe('the SDK over pull', () => {
  let parley: Parley;
  let tenant: Tenant;
  let proxy: Proxy;
  const log: string[] = [];
  const bots: { bot: Bot; ended: Promise<unknown> }[] = [];

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    proxy = await Proxy.start(parley.url);
    log.length = 0;
  });
  afterEach(async () => {
    for (const { bot, ended } of bots.splice(0)) {
      await bot.stop();
      await ended;
    }
    await proxy.close();
  });

  const make = (options: Partial<BotOptions> = {}) =>
    createBot({
      url: proxy.url,
      token: tenant.token,
      signals: false,
      grace: 500,
      log: (line) => log.push(line),
      ...options,
    });
  /** Runs a bot, and waits until it has a subscription. @returns how it ends */
  const run = async (bot: Bot) => {
    const ended = bot.run().catch((error: unknown) => error);
    bots.push({ bot, ended });
    await until('the bot has a subscription', async () => (await tenant.bot.get('/subscription')).status === 200);
    return { bot, ended };
  };
  const start = (onMessage: (turn: MessageTurn) => unknown, options?: Partial<BotOptions>) =>
    run(make(options).on('message', onMessage));
  const say = (content: string, chatId = tenant.chatId, token = tenant.visitorToken) =>
    parley.visitor(token).post(`/chats/${chatId}/messages`, { content }).expect(201);
  const messages = async (chatId = tenant.chatId): Promise<any[]> =>
    (await tenant.bot.get(`/chats/${chatId}/messages?limit=200`).expect(200)).body.messages;
  const contents = async (chatId?: string): Promise<string[]> => (await messages(chatId)).map(({ content }) => content);
  const reads = (wanted: string[], chatId?: string) =>
    eventually(
      () => contents(chatId),
      (seen) => JSON.stringify(seen) === JSON.stringify(wanted),
    );
  const owner = async () => (await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200)).body.owner as string;
  const pending = async () => (await tenant.bot.get('/subscription').expect(200)).body.pending as number;
  const another = async () => {
    const { body } = await tenant.admin.post('/chats', {}).expect(201);
    return { id: body.id as string, token: body.visitorToken as string };
  };

  it('the SDK replies to visitors, and acknowledges events after the handler', async () => {
    const gate = gateOf<void>();
    await start(async ({ message, reply }) => {
      await gate.promise;
      await reply(`You said: ${message.content}`, { metadata: { a: 1 } });
    });
    await say('hello');
    await until('the event is looked at', () => proxy.requests.filter((line) => line.includes('wait=0')).length >= 2);
    expect(await pending()).toBe(1);
    gate.resolve();
    await reads(['hello', 'You said: hello']);
    await until('it is done', async () => (await pending()) === 0);
    expect((await messages())[1]).toMatchObject({ metadata: { a: 1 }, sender: { type: 'BOT', id: tenant.botId } });
  });

  it('the SDK sends a stream as one message at its end, with a typing indicator until then', async () => {
    const visitor = await parley.connectVisitor(tenant.visitorToken);
    await visitor.ask('chat:open', { chatId: tenant.chatId });
    const gate = gateOf<void>();
    await start(({ say: speak }) =>
      speak(
        (async function* () {
          yield 'Hello ';
          await gate.promise;
          yield 'Vera';
        })(),
      ),
    );
    await say('hi');
    await visitor.next('typing');
    expect(await contents()).toEqual(['hi']);
    gate.resolve();
    await reads(['hi', 'Hello Vera']);
  });

  it('the SDK shows a stream as live text, then sends the message', async () => {
    const visitor = await parley.connectVisitor(tenant.visitorToken);
    await visitor.ask('chat:open', { chatId: tenant.chatId });
    const gate = gateOf<void>();
    await start(({ say: speak }) =>
      speak(
        (async function* () {
          yield 'Hello ';
          yield 'Ver';
          await gate.promise;
          yield 'a \ud83d';
          yield '\ude42';
        })(),
      ),
    );
    await say('hi');
    const texts = () => visitor.all('typing').flatMap(({ text }) => (text === undefined ? [] : [text as string]));
    await visitor.until(() => texts().at(-1) === 'Hello Ver');
    expect(await contents()).toEqual(['hi']);
    gate.resolve();
    await reads(['hi', 'Hello Vera 🙂']);
    const of = (event: string) => visitor.arrivals.findLastIndex((arrival) => arrival.event === event);
    await visitor.until(() => visitor.all('typing').at(-1)?.isTyping === false);
    expect(of('typing')).toBeGreaterThan(of('message'));
    expect(texts().every((text) => 'Hello Vera 🙂'.startsWith(text))).toBe(true);
    expect(log).toEqual([`connected as Bot to ${proxy.url}`]);
  });

  it('the SDK stops the live text and ends the turn when an agent takes the chat during a stream', async () => {
    const visitor = await parley.connectVisitor(tenant.visitorToken);
    await visitor.ask('chat:open', { chatId: tenant.chatId });
    const [{ id: groupId }] = (await tenant.bot.get('/groups').expect(200)).body;
    const ada = await parley.signInAgent(tenant, { groupIds: [groupId] });
    let hasEnded = false;
    await start(({ say: speak, signal }) =>
      speak(
        (async function* () {
          for (let count = 0; !signal.aborted; count++) {
            yield `${count} `;
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
          hasEnded = true;
        })(),
      ),
    );
    await say('hi');
    await visitor.until(() => visitor.all('typing').some(({ text }) => text !== undefined));
    await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
    await until('the stream ends', () => hasEnded);
    await until('the event is done', async () => (await pending()) === 0);
    expect((await messages()).filter(({ sender }) => sender.type === 'BOT')).toEqual([]);
    await visitor.until(() => visitor.all('typing').at(-1)?.isTyping === false);
  });

  it('the SDK splits a text that is too long for one message', async () => {
    await start(({ say: speak }) => speak(`${'a'.repeat(3000)}\n\n${'🙂'.repeat(3000)}`));
    await say('long');
    await reads(['long', 'a'.repeat(3000), '🙂'.repeat(3000)]);
  });

  it('the SDK keeps the order of a chat, and handles several chats at the same time', async () => {
    const gate = gateOf<void>();
    const seen: string[] = [];
    await start(async ({ message, reply }) => {
      seen.push(message.content);
      if (message.content === '1') await gate.promise;
      await reply(`re ${message.content}`);
    });
    await say('1');
    await until('the first handler runs', () => seen.length === 1);
    await say('2');
    const other = await another();
    await say('x', other.id, other.token);
    await reads(['x', 're x'], other.id);
    expect(seen).toEqual(['1', 'x']);
    gate.resolve();
    await reads(['1', '2', 're 1', 're 2']);
    await until('all is done', async () => (await pending()) === 0);
  });

  it('the SDK runs at most the configured number of handlers at the same time', async () => {
    const gate = gateOf<void>();
    let running = 0;
    const most: number[] = [];
    await start(
      async ({ reply }) => {
        most.push(++running);
        await gate.promise;
        await reply('done');
        running--;
      },
      { concurrency: 2 },
    );
    const chats = await Promise.all([another(), another(), another()]);
    for (const { id, token } of chats) await say('hi', id, token);
    await until('two run', () => running === 2);
    await until('all are known', async () => (await pending()) === 3);
    gate.resolve();
    for (const { id } of chats) await reads(['hi', 'done'], id);
    expect(Math.max(...most)).toBe(2);
  });

  it('the SDK ends the turn quietly when an agent has taken the chat', async () => {
    const turn = gateOf<MessageTurn>();
    const gate = gateOf<void>();
    let isAfter = false;
    await start(async (one) => {
      turn.resolve(one);
      await gate.promise;
      await one.reply('too late');
      isAfter = true;
    });
    await say('hello');
    const { signal } = await turn.promise;
    await tenant.bot.post('/transfer', { chatId: tenant.chatId }).expect(200);
    gate.resolve();
    await until('it is done', async () => (await pending()) === 0);
    expect([signal.aborted, isAfter]).toEqual([true, false]);
    expect(log).toEqual([`connected as Bot to ${proxy.url}`]);
    await say('still there?');
    await until('that is done', async () => (await pending()) === 0);
    expect(await contents()).toEqual(['hello', 'Chat transferred by bot', 'still there?']);
  });

  it('the SDK hands over with a summary, and takes no chat from an agent', async () => {
    const results: unknown[] = [];
    await start(async ({ message, handOver, ignore }) => {
      const options = message.content === 'free?' ? ({ ifUnavailable: 'FAIL' } as const) : { reason: 'asked' };
      const result = await handOver(options);
      results.push(result);
      if (result === null) ignore();
    });
    await say('free?');
    await until('nobody is free', () => results.length === 1);
    expect(results).toEqual([null]);
    await say('human');
    await until('it waits', async () => (await owner()) === 'QUEUE');
    await until('the handler has its answer', () => results.length === 2);
    expect(results[1]).toMatchObject({ newStatus: 'QUEUED', handoff: { position: 1 } });
  });

  it('the SDK tags a chat that it hands over, and hands it over even when a tag is refused', async () => {
    const many = Array.from({ length: 20 }, (_, index) => `t${index}`);
    await start(async ({ message, handOver }) => {
      await handOver({ tags: message.content === 'full' ? many : ['Refund', 'vip'], reason: 'asked' });
    });
    const chat = async () => (await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200)).body;
    await say('human');
    await until('it waits', async () => (await owner()) === 'QUEUE');
    expect((await chat()).tags).toEqual(['Refund', 'vip']);
    await tenant.bot.post(`/chats/${tenant.chatId}/return`).expect(200);
    await say('full');
    await until('it waits again', async () => (await owner()) === 'QUEUE');
    expect((await chat()).tags).toEqual(['Refund', 'vip']);
    expect(log.some((line) => line.includes('handOver(): the tags were not added'))).toBe(true);
  });

  it('the SDK handles other events with the same tools', async () => {
    const bot = make();
    bot.on('chat.returned', async ({ data, reply }) => void (await reply(`back by ${data.by.type}`)));
    await run(bot);
    await tenant.bot.post('/transfer', { chatId: tenant.chatId }).expect(200);
    await tenant.bot.post(`/chats/${tenant.chatId}/return`).expect(200);
    await eventually(contents, (seen) => seen.includes('back by BOT'));
  });

  it("the SDK gives the handler the chat's history", async () => {
    const heard: string[][] = [];
    await start(async ({ history, ignore }) => {
      heard.push((await history(2)).map(({ content }) => content));
      ignore();
    });
    for (const content of ['1', '2', '3']) await say(content);
    await until('three turns', () => heard.length === 3);
    expect(heard).toEqual([['1'], ['1', '2'], ['2', '3']]);
  });

  it('the SDK replies once through network faults, and when a restarted bot gets the same event', async () => {
    let count = 0;
    let isFailing = false;
    const handler = async ({ reply }: MessageTurn) => {
      await reply(`answer ${++count}`);
      if (isFailing) proxy.fail('GET /api/bot/events', Array<string>(100).fill('refuse'));
    };
    const first = await start(handler);
    // The reply is stored and its response lost; then the service is down; then it answers 503 and 429.
    proxy.fail('POST /api/bot/messages', ['lose', 'refuse', '503', '429']);
    await say('hello');
    await reads(['hello', 'answer 1']);
    await until('it is done', async () => (await pending()) === 0);
    // Now the acknowledgment never arrives: the next process gets the event again, and replies with a different text.
    isFailing = true;
    await say('again');
    await reads(['hello', 'answer 1', 'again', 'answer 2']);
    await first.bot.stop();
    await first.ended;
    proxy.heal();
    isFailing = false;
    expect(await pending()).toBe(1);
    await start(handler);
    await until('it is done', async () => (await pending()) === 0);
    expect(count).toBe(3);
    expect(await contents()).toEqual(['hello', 'answer 1', 'again', 'answer 2']);
  });

  it('the SDK hands the chat over when a handler fails', async () => {
    await start(() => {
      throw new Error('broken');
    });
    await say('hello');
    await until('it waits for people', async () => (await owner()) === 'QUEUE');
    expect(log.join()).toContain('broken');
    expect((await messages()).at(-1)).toMatchObject({ metadata: { reason: 'bot_failed' } });
  });

  it('the SDK runs a failed handler again when onError says so', async () => {
    let runs = 0;
    await start(
      async ({ reply }) => {
        await reply('one');
        if (++runs < 2) throw new Error('broken');
        await reply('two');
      },
      { onError: 'retry' },
    );
    await say('hello');
    await reads(['hello', 'one', 'two']);
    expect(runs).toBe(2);
  });

  it('the SDK sends a sentence when the deadline passes, and nothing after it', async () => {
    const gate = gateOf<void>();
    const later = gateOf<unknown>();
    await start(
      async ({ reply, signal }) => {
        if (!signal.aborted) await once(signal, 'abort');
        await gate.promise;
        await reply('too late').catch(later.resolve);
      },
      { deadline: 50, deadlineSentence: 'I need longer than I should' },
    );
    await say('hello');
    await reads(['hello', 'I need longer than I should']);
    gate.resolve();
    expect(String(await later.promise)).toContain('deadline');
    expect(await contents()).toHaveLength(2);
    expect(await owner()).toBe('BOT');
  });

  it("the time of requests doesn't count toward the SDK's deadline", async () => {
    await start(({ reply }) => reply('answer'), { deadline: 300, deadlineSentence: 'late' });
    proxy.fail('POST /api/bot/messages', ['refuse', '503']);
    await say('hello');
    await reads(['hello', 'answer']);
  });

  it('the SDK hands a chat over when its bot keeps writing without an answer', async () => {
    await start(async ({ reply }) => {
      for (let count = 1; ; count++) await reply(`${count}`);
    });
    await say('hello');
    await until('it waits for people', async () => (await owner()) === 'QUEUE');
    const all = await contents();
    expect(all.slice(0, 11)).toEqual(['hello', ...Array.from({ length: 10 }, (_, index) => `${index + 1}`)]);
    expect(all).toHaveLength(12);
  });

  it("the SDK survives a handler that doesn't await what it sends", async () => {
    await start(({ message, reply, handOver }) => {
      void reply(`re ${message.content}`);
      if (message.content === 'bye') void handOver();
    });
    await say('hello');
    await reads(['hello', 're hello']);
    await say('bye');
    await until('it waits for people', async () => (await owner()) === 'QUEUE');
  });

  it('the SDK stops for good when another process polls its events', async () => {
    const polls = () => proxy.requests.filter((line) => line.startsWith('GET /api/bot/events')).length;
    const first = await start(({ ignore }) => ignore());
    await until('the first has called', () => polls() >= 1);
    await start(({ ignore }) => ignore());
    await until('both have called', () => polls() >= 2);
    expect(await first.ended).toBeInstanceOf(SupersededError);
    expect(String(await first.ended)).toContain('a bot of its own');
    await say('hello');
    await until('the other one has it', async () => (await pending()) === 0);
  });

  it('the SDK stops with an error when its token ends', async () => {
    const { ended } = await start(({ reply }) => reply('x'));
    const { body } = await tenant.admin.get(`/bots/${tenant.botId}/tokens`).expect(200);
    await tenant.admin.delete(`/bots/${tenant.botId}/tokens/${body.tokens[0].id}`).expect(204);
    expect(await ended).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('a stopping bot finishes and acknowledges its running turns, and leaves the rest', async () => {
    const gates = { a: gateOf<void>(), b: gateOf<void>() };
    const seen: string[] = [];
    const { bot, ended } = await start(
      async ({ message, reply }) => {
        seen.push(message.content);
        await gates[message.content as 'a'].promise;
        await reply(`re ${message.content}`);
      },
      { grace: 60_000 },
    );
    await say('a');
    await until('it runs', () => seen.length === 1);
    await say('b');
    await until('both are here', () => proxy.bodies.some((body) => body.includes('"content":"b"')));
    const stopped = bot.stop();
    gates.a.resolve();
    await stopped;
    expect(await ended).toBeUndefined();
    expect(seen).toEqual(['a']);
    expect(await contents()).toEqual(['a', 'b', 're a']);
    expect(await pending()).toBe(1);
  });

  it('a bot that stops during a poll acknowledges what it has finished', async () => {
    const gate = gateOf<void>();
    // The grace is also the time for the last acknowledgment, which a busy machine needs.
    const { bot, ended } = await start(({ ignore }) => gate.promise.then(ignore), { grace: 60_000 });
    await say('a');
    await until('it runs', () => proxy.bodies.some((body) => body.includes('"content":"a"')));
    const before = proxy.requests.length;
    proxy.fail('GET /api/bot/events', Array<string>(100).fill('lose'));
    await until('answers are lost', () => proxy.requests.length >= before + 2);
    const stopped = bot.stop();
    proxy.heal();
    gate.resolve();
    await stopped;
    expect(await ended).toBeUndefined();
    expect(await pending()).toBe(0);
  });

  it('a stopping bot ends after its grace period, and unfinished events are sent again', async () => {
    const never = new Promise<void>(() => undefined);
    const { bot, ended } = await start(() => never, { grace: 50 });
    await say('hello');
    await until('it runs', () => proxy.bodies.some((body) => body.includes('"content":"hello"')));
    await bot.stop();
    expect(await ended).toBeUndefined();
    expect(await pending()).toBe(1);
  });

  it('the SDK rejects invalid options', () => {
    expect(() => make({ concurrency: 0 })).toThrow('concurrency must be at least 1');
    const bot = make().on('message', () => undefined);
    expect(() => bot.on('message', () => undefined)).toThrow('has a handler');
  });
});
