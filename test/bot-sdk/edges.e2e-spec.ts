import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  type Bot,
  type BotOptions,
  createBot,
  type Gap,
  type MessageTurn,
  TurnOverError,
} from '../../packages/bot/src/index.js';
import { withTimeLimit } from '../../packages/bot/src/lib/time-limit.js';
import { eventually, until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Proxy } from './support/proxy.js';

/** A stream that ends when the turn does. */
async function* forever(signal: AbortSignal): AsyncGenerator<string> {
  for (let count = 0; !signal.aborted; count++) {
    yield `${count} `;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('edge cases of the SDK', () => {
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
      log: (line, { level }) => level !== 'info' && log.push(line),
      ...options,
    });
  /** Runs a bot, and waits until it has a subscription. @returns how it ends */
  const start = async (onMessage: (turn: MessageTurn) => unknown, options?: Partial<BotOptions>) => {
    const bot = make(options).on('message', onMessage);
    const ended = bot.run().catch((error: unknown) => error);
    bots.push({ bot, ended });
    await until('the bot has a subscription', async () => (await tenant.bot.get('/subscription')).status === 200);
    return { bot, ended };
  };
  const say = (content: string, chatId = tenant.chatId, token = tenant.visitorToken) =>
    parley.visitor(token).post(`/chats/${chatId}/messages`, { content }).expect(201);
  const messages = async (chatId = tenant.chatId): Promise<any[]> =>
    (await tenant.bot.get(`/chats/${chatId}/messages?limit=200`).expect(200)).body.messages;
  const contents = async (chatId?: string): Promise<string[]> => (await messages(chatId)).map(({ content }) => content);
  const owner = async () => (await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200)).body.owner as string;
  const pending = async () => (await tenant.bot.get('/subscription').expect(200)).body.pending as number;
  /** Leaves more pending events in one chat than a response holds. */
  const flood = async () => {
    await tenant.bot.put('/subscription', { events: ['message.created'], senderTypes: ['VISITOR'] }).expect(200);
    for (let count = 0; count < 120; count++) await say(`${count}`);
  };
  const leaveGap = () =>
    parley.query('UPDATE subscriptions SET gap_since = now(), gap_dropped = 5 WHERE bot_id = $1', [tenant.botId]);

  it('the SDK reports a gap once while a handler runs', async () => {
    const gaps: Gap[] = [];
    let isOver = false;
    // One response must have both the gap and the message, so they precede the first poll.
    await tenant.bot.put('/subscription', { events: ['message.created'], senderTypes: ['VISITOR'] }).expect(200);
    await leaveGap();
    await say('hello');
    await start(({ ignore }) => until('it may end', () => isOver).then(ignore), { onGap: (gap) => gaps.push(gap) });
    await until(
      'several answers carry the gap',
      () => proxy.bodies.filter((body) => body.includes('"gap"')).length > 2,
    );
    isOver = true;
    await until('it is done', async () => (await pending()) === 0);
    expect(gaps).toEqual([expect.objectContaining({ droppedEvents: 5 })]);
  });

  it('the SDK continues after an onGap that throws', async () => {
    // Before the first poll, so that one response has both the gap and the message.
    await tenant.bot.put('/subscription', { events: ['message.created'], senderTypes: ['VISITOR'] }).expect(200);
    await leaveGap();
    await say('hello');
    await start(({ reply }) => reply('here'), {
      onGap: () => {
        throw new Error('broken');
      },
    });
    await eventually(
      () => contents(),
      (seen) => seen.includes('here'),
    );
    expect(log.join()).toContain('onGap: Error: broken');
  });

  it('the SDK answers other chats while one chat has more pending events than a response holds', async () => {
    const { body: other } = await tenant.admin.post('/chats', {}).expect(201);
    await flood();
    await say('hello', other.id, other.visitorToken);
    const seen: string[] = [];
    let isOver = false;
    await start(async ({ message, reply, ignore }) => {
      if (message.chatId === other.id) return reply('here');
      ignore();
      seen.push(message.content);
      if (seen.length === 30) await until('it may go on', () => isOver);
    });
    await eventually(
      () => contents(other.id),
      (all) => all.includes('here'),
    );
    expect(seen).toHaveLength(30);
    isOver = true;
    await until('all is done', async () => (await pending()) === 0);
    expect(seen).toEqual(Array.from({ length: 120 }, (_, count) => `${count}`));
  });

  it('the SDK acknowledges finished events during a flood, and the rest when it stops', async () => {
    await flood();
    let runs = 0;
    let isOver = false;
    const handle = async ({ ignore }: MessageTurn) => {
      ignore();
      if (++runs === 30) await until('it may end', () => isOver);
    };
    // The grace is also the time for the last acknowledgment, which a busy machine needs.
    const { bot, ended } = await start(handle, { grace: 60_000 });
    await until('what is done was acknowledged', async () => (await pending()) === 91);
    const stopped = bot.stop();
    isOver = true;
    await stopped;
    expect(await ended).toBeUndefined();
    expect([runs, await pending()]).toEqual([30, 90]);
  });

  it("the SDK treats a response that isn't JSON as an error of the handler", async () => {
    const errors: unknown[] = [];
    await start(async ({ reply }) => {
      await reply('Your order', { metadata: { orderId: 12n } }).catch((error: unknown) => {
        errors.push(error);
        throw error;
      });
    });
    await say('hello');
    await until('it waits for people', async () => (await owner()) === 'QUEUE');
    expect(errors).toEqual([expect.any(TypeError)]);
  });

  it('the SDK rejects a URL or token that no request can carry, without printing it', async () => {
    const secrets = { token: `${tenant.token}\n`, url: 'http://user:prl_pat_x@127.0.0.1' };
    for (const [name, value] of Object.entries(secrets)) {
      const run = make({ [name]: value })
        .on('message', () => undefined)
        .run();
      await expect(run).rejects.toThrow(new RegExp(`^${name} (?!.*prl_pat)`));
    }
    await expect(make({ url: 'ftp://127.0.0.1' }).me()).rejects.toThrow('url must be');
  });

  it('requests of the SDK time out even after a garbage collection', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const collecting = setInterval(collect, 10);
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const never = new AbortController();
    try {
      const request = withTimeLimit(300, never.signal, (signal) => fetch(url, { signal }));
      await expect(request).rejects.toThrow('no answer in time');
    } finally {
      clearInterval(collecting);
      silent.closeAllConnections();
      silent.close();
    }
  });

  it("the SDK's history ends with the turn's message, even if messages are very long", async () => {
    const body = { chatId: tenant.chatId, content: 'a'.repeat(5_000) };
    for (let count = 0; count < 199; count++) await tenant.bot.post('/messages', body).expect(200);
    const heard: number[] = [];
    await start(async ({ history, ignore }) => {
      heard.push(...(await history(200)).map(({ seq }) => seq));
      ignore();
    });
    await say('the question');
    await until('it was asked for', () => heard.length > 0);
    expect(heard).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
  });

  it('the SDK ends the turn quietly when the handler throws after an agent took the chat', async () => {
    let runs = 0;
    await start(
      ({ say: speak, signal }) => {
        runs++;
        return speak(forever(signal)).catch(() => {
          throw new Error('Request was aborted.');
        });
      },
      { onError: 'retry' },
    );
    await say('hello');
    await until('it runs', () => runs === 1);
    await tenant.bot.post('/transfer', { chatId: tenant.chatId }).expect(200);
    await until('the event is done', async () => (await pending()) === 0);
    expect([runs, log]).toEqual([1, []]);
  });

  it('the SDK takes Infinity as no deadline and no typing indicator', async () => {
    const visitor = await parley.connectVisitor(tenant.visitorToken);
    await visitor.ask('chat:open', { chatId: tenant.chatId });
    const none = Number.POSITIVE_INFINITY;
    await start(
      async ({ availability, reply }) => {
        await availability();
        // Node turns a timer of more than 2^31 - 1 ms into one of 1 ms, which would run before this one.
        await new Promise((resolve) => setTimeout(resolve, 1));
        await reply('answer');
      },
      { deadline: none, typingAfter: none },
    );
    await say('hello');
    await visitor.until(() => visitor.all('message').some(({ content }) => content === 'answer'));
    expect([visitor.all('typing'), await owner(), log]).toEqual([[], 'BOT', []]);
    for (const name of ['grace', 'typingAfter']) {
      expect(() => make({ [name]: -1 })).toThrow(name);
      expect(() => make({ [name]: Number.NaN })).toThrow(name);
    }
    expect(() => make({ grace: none })).toThrow('grace');
  });

  it('the SDK rejects a handler for an unknown event', () => {
    const on = (name: string) => () => make().on(name as 'message', () => undefined);
    expect(on('message.created')).toThrow("use 'message'");
    expect(on('chat.close')).toThrow(/chat\.close.*chat\.closed/);
  });

  it("the SDK cuts a hand-over's reason between characters", async () => {
    await start(({ handOver }) => handOver({ reason: `${'x'.repeat(499)}🙂 and more` }));
    await say('hello');
    await until('it waits for people', async () => (await owner()) === 'QUEUE');
    expect((await messages()).at(-1)).toMatchObject({ metadata: { reason: `${'x'.repeat(499)}🙂` } });
    expect(log).toEqual([expect.stringContaining('reason has more than 500 characters and was cut')]);
  });

  it('the SDK takes no chat from an agent who claims it during a hand-over', async () => {
    let isOver: unknown;
    await start(async ({ handOver }) => {
      isOver = await handOver().catch((error: unknown) => error);
    });
    proxy.fail('POST /api/bot/transfer', Array<string>(1_000).fill('503'));
    const ada = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    await say('hello');
    await until('the hand-over was asked for', () => proxy.requests.includes('POST /api/bot/transfer'));
    await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
    proxy.heal();
    await until('the turn is over', () => isOver !== undefined);
    expect([isOver, await owner()]).toEqual([expect.any(TurnOverError), 'AGENT']);
    await until('the event is done', async () => (await pending()) === 0);
    expect(log.filter((line) => !line.includes('answered 503'))).toEqual([]);
  });

  it("the SDK reports a hand-over to a group that doesn't exist", async () => {
    const results: unknown[] = [];
    await start(async ({ handOver }) => {
      results.push(await handOver({ targetGroupId: 'grp_none' }).catch((error: unknown) => error));
    });
    await say('hello');
    await until('it failed', () => results.length === 1);
    expect(results).toMatchObject([{ code: 'not_found' }]);
  });
});
