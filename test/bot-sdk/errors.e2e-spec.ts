import { describe, expect, it } from '@jest/globals';
import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createBot, ParleyError } from '../../packages/bot/src/index.js';
import { Scrape } from '../support/scrape.js';
import { until } from '../support/eventually.js';
import { Setting } from './support/setting.js';

describe('bot errors', () => {
  const at = new Setting();
  const reason = async () => (await at.messages()).at(-1).metadata.reason;

  it('a turn that ends without an answer is an error, as when a model fails without throwing', async () => {
    await at.start(async ({ say }) => {
      await say((async function* () {})());
    });
    await at.say('hello');
    await at.waitsForPeople();
    expect(at.lines()).toContain('NoReplyError');
    expect(await reason()).toBe('bot_failed');
  });

  it('agents read the error of a failed turn, and metrics count it; the visitor and webhooks never get it', async () => {
    const before = await Scrape.of(at.parley.url);
    const bot = { bot: at.tenant.botId };
    await at.tenant.admin.post('/webhooks', { url: 'https://hooks.invalid', events: ['chat.transferred'] }).expect(201);
    await at.start(() => {
      throw new RangeError(`no such model ${'x'.repeat(600)}`);
    });
    await at.say('hello');
    await at.waitsForPeople();
    const ada = await at.parley.signInAgent(at.tenant, { email: 'ada@example.com', role: 'SUPERVISOR' });
    const { handoff } = (await ada.client.get(`/chats/${at.tenant.chatId}`).expect(200)).body;
    expect(handoff.cause.name).toBe('RangeError');
    expect(handoff.cause.message).toBe(`no such model ${'x'.repeat(600)}`.slice(0, 500));
    expect(JSON.stringify(await at.messages())).not.toContain('no such model');
    // The bot gets this event too, until it has acknowledged it.
    const sent = await at.parley
      .query(`SELECT d.payload::text FROM deliveries d JOIN receivers r ON r.id = d.receiver_id
      WHERE r.kind = 'WEBHOOK' AND d.event_type = 'chat.transferred'`);
    expect(sent).toHaveLength(1);
    expect(JSON.stringify(sent)).not.toContain('no such model');
    const after = await Scrape.of(at.parley.url);
    const growth = (name: string, labels: Record<string, string>) =>
      (after.value(name, labels) ?? 0) - (before.value(name, labels) ?? 0);
    expect(growth('parley_bot_failures_total', { ...bot, cause: 'RangeError' })).toBe(1);
    expect(growth('parley_bot_turns_total', { ...bot, outcome: 'failed' })).toBe(1);
  });

  it('a turn that ends without an answer on purpose is no error', async () => {
    await at.start(({ ignore }) => ignore());
    await at.say('hello');
    await at.isDone();
    expect([await at.contents(), await at.owner(), at.log]).toEqual([['hello'], 'BOT', []]);
  });

  it('after an error the visitor and the agents get the configured sentences', async () => {
    const group = await at.tenant.admin.post('/groups', { name: 'Second line' }).expect(201);
    const failure = {
      sentence: 'Sorry!',
      reason: 'A fault',
      targetGroupId: group.body.id,
      summary: 'The model failed',
    };
    await at.start(
      () => {
        throw new Error('broken');
      },
      { failure },
    );
    await at.say('hello');
    await at.waitsForPeople();
    const [, sentence, transfer] = await at.messages();
    expect([sentence.content, transfer.metadata.reason]).toEqual(['Sorry!', 'A fault']);
    const { body: chat } = await at.tenant.bot.get(`/chats/${at.tenant.chatId}`).expect(200);
    expect(chat.group.id).toBe(group.body.id);
  });

  it("a failed chat goes to the default group when the configured group doesn't exist", async () => {
    await at.start(({ say }) => say(''), { failure: { targetGroupId: 'grp_none' } });
    await at.say('hello');
    await at.waitsForPeople();
    expect(at.lines()).toContain('failure.targetGroupId');
  });

  it('keepPartialText keeps the live text that the visitor was reading', async () => {
    await at.start(
      ({ say }) =>
        say(
          (async function* () {
            yield 'Your refund is ';
            throw new Error('broken');
          })(),
        ),
      { keepPartialText: true },
    );
    await at.say('hello');
    await at.waitsForPeople();
    expect((await at.contents()).slice(0, 2)).toEqual(['hello', 'Your refund is…']);
  });

  it.each<[string, () => unknown]>([
    ['an object without a prototype', () => Object.create(null)],
    [
      'an error whose message can’t be read',
      () =>
        Object.defineProperty(new Error(), 'message', {
          get() {
            throw new Error('no');
          },
        }),
    ],
    ['a symbol', () => Symbol('odd')],
    ['nothing', () => undefined],
  ])('a bot that throws %s hands the chat over', async (_, make) => {
    await at.start(() => {
      throw make();
    });
    await at.say('hello');
    await at.waitsForPeople();
  });

  it('an error whose message has half a character hands the chat over', async () => {
    await at.start(() => JSON.parse('😀') as unknown);
    await at.say('hello');
    await at.waitsForPeople();
    const ada = await at.agent();
    const { handoff } = (await ada.client.get(`/chats/${at.tenant.chatId}`).expect(200)).body;
    expect(handoff.cause.name).toBe('SyntaxError');
    expect(handoff.cause.message).toContain('is not valid JSON');
  });

  it('a reason and a summary with half a character hand the chat over without it', async () => {
    await at.start(({ handOver }) => handOver({ reason: 'Asked \ud83d', summary: 'A \ude00 refund' }));
    await at.say('hello');
    await at.waitsForPeople();
    expect(await reason()).toBe('Asked ');
  });

  it('keepPartialText keeps the text of a stream that breaks off within a character', async () => {
    await at.start(
      ({ say }) =>
        say(
          (async function* () {
            yield 'Your refund is \ud83d';
            throw new Error('broken');
          })(),
        ),
      { keepPartialText: true },
    );
    await at.say('hello');
    await at.waitsForPeople();
    expect((await at.contents()).slice(0, 2)).toEqual(['hello', 'Your refund is…']);
  });

  it('a sentence that Parley refuses does not prevent the hand-over', async () => {
    const fail = () => {
      throw new Error('broken');
    };
    await at.start(fail, { failure: { sentence: 'x'.repeat(5_001) } });
    await at.say('hello');
    await at.waitsForPeople();
    expect(at.lines()).toContain('not sent before the hand-over');
  });

  it('onError can run the handler again, or ignore the error', async () => {
    const seen: unknown[] = [];
    await at.start(
      async ({ attempt, message, reply }) => {
        await reply('one');
        if (attempt < 3 || message.content === 'ignore me') throw new Error(`broken ${attempt}`);
        await reply('two');
      },
      {
        onError: (error, turn) => {
          seen.push([(error as Error).message, turn.attempt, turn.event.type]);
          return turn.event.data.chat.messageCount > 3 ? 'ignore' : 'retry';
        },
      },
    );
    await at.say('hello');
    await at.reads(['hello', 'one', 'two']);
    await at.say('ignore me');
    await at.isDone();
    expect(seen).toEqual([
      ['broken 1', 1, 'message.created'],
      ['broken 2', 2, 'message.created'],
      ['broken 1', 1, 'message.created'],
    ]);
    expect(await at.owner()).toBe('BOT');
  });

  it('onError can reply and hand over, and one that throws still hands the chat over', async () => {
    await at.start(
      () => {
        throw new Error('broken');
      },
      {
        onError: async (_, { reply, handOver }) => {
          await reply('One moment');
          await handOver({ reason: 'My own reason' });
          throw new TypeError('in onError');
        },
      },
    );
    await at.say('hello');
    await at.isDone();
    expect(await at.contents()).toEqual(['hello', 'One moment', 'Chat transferred by bot']);
    expect(await reason()).toBe('My own reason');
    expect(at.lines()).toContain('in onError');
  });

  it("an error is logged once, with the handler's line and the event", async () => {
    await at.start(async ({ reply }) => {
      await reply('x'.repeat(5_001));
    });
    await at.say('hello');
    await at.waitsForPeople();
    await at.isDone();
    expect(at.log).toHaveLength(1);
    const [{ line, level, chatId, eventId, error }] = at.log as [(typeof at.log)[0]];
    expect(line).toContain('reply(): content must have 1 to 5,000 characters; it has 5,001');
    expect(String((error as Error).stack).split('\n')[1]).toContain('errors.e2e-spec.ts');
    expect({ level, chatId }).toEqual({ level: 'error', chatId: at.tenant.chatId });
    expect(eventId).toMatch(/^evt_/);
    expect(at.proxy.requests.filter((one) => one === 'POST /api/bot/messages')).toEqual([]);
  });

  it("a ParleyError names the request, the fields, and the handler's line", async () => {
    const errors: ParleyError[] = [];
    await at.start(async ({ reply }) => {
      const error = await reply('x', { type: 'QUICK_REPLY' }).catch((reason: unknown) => reason);
      errors.push(error as ParleyError);
      await reply('y');
    });
    await at.say('hello');
    await at.reads(['hello', 'y']);
    const [error] = errors as [ParleyError];
    expect(error).toMatchObject({ status: 400, method: 'POST', path: '/api/bot/messages' });
    expect(error.requestId).toMatch(/./);
    expect(error.errors![0]!.pointer).toContain('/metadata');
    expect(error.message).toMatch(/^reply\(\): POST http.*\/api\/bot\/messages answered 400: .*\/metadata/);
    expect(error.stack!.split('\n').find((line) => line.includes('    at '))).toContain('errors.e2e-spec.ts');
  });

  it('a summary or reason of any length is cut and causes no error', async () => {
    await at.start(({ handOver }) => handOver({ reason: 'r'.repeat(501), summary: `${'s'.repeat(1_999)}🙂 and more` }));
    await at.say('hello');
    await at.waitsForPeople();
    expect(await reason()).toBe('r'.repeat(500));
    const [row] = await at.parley.query<{ summary: string }>('SELECT summary FROM handoffs WHERE chat_id = $1', [
      at.tenant.chatId,
    ]);
    expect(row!.summary).toBe(`${'s'.repeat(1_999)}🙂`);
    expect(at.lines()).toContain('summary has more than 2,000 characters and was cut');
  });

  it('a history of any length is no error, and one with an invalid length names it', async () => {
    const body = { chatId: at.tenant.chatId, content: 'x' };
    for (let count = 0; count < 229; count++) await at.tenant.bot.post('/messages', body).expect(200);
    const heard: number[] = [];
    const errors: unknown[] = [];
    await at.start(async ({ history, ignore }) => {
      heard.push(...(await history(300)).map(({ seq }) => seq));
      await history(Number.NaN).catch((error: unknown) => errors.push(error));
      return ignore();
    });
    await at.say('the question');
    await until('it was asked for', () => errors.length > 0);
    expect(heard).toEqual(Array.from({ length: 230 }, (_, index) => index + 1));
    expect(String(errors[0])).toContain('history(): limit must be a number from 1');
  });

  it("a value that say can't send is an error that names it, and bytes are decoded as text", async () => {
    const errors: string[] = [];
    const parts = new TextEncoder().encode('Grüße 🙂');
    const sources: [unknown, RegExp][] = [
      [undefined, /say\(\): it takes a text .* undefined/],
      [12, /say\(\): it takes a text .* a number/],
      [[null], /a part .* null/],
      [['a', { type: 'text-delta', text: 'b' }], /a part .* members type, text/],
    ];
    await at.start(async ({ say }) => {
      for (const [source] of sources) await say(source as string).catch((error: unknown) => errors.push(String(error)));
      await say([parts.slice(0, 3), parts.slice(3, 11), parts.slice(11)]);
    });
    await at.say('hello');
    await at.reads(['hello', 'Grüße 🙂']);
    sources.forEach(([, wanted], index) => expect(errors[index]).toMatch(wanted));
    expect(errors.every((error) => error.startsWith('TypeError'))).toBe(true);
  });
});

describe('a wrong URL', () => {
  const serve = async (listener: RequestListener) => {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const bot = createBot({ url, token: 'prl_pat_x', signals: false, log: () => undefined });
    const error = await bot
      .on('message', () => undefined)
      .run()
      .catch((reason: unknown) => reason);
    server.closeAllConnections();
    server.close();
    return { url, error: error as ParleyError };
  };

  it('a redirect is reported at the first request', async () => {
    const { url, error } = await serve((request, response) =>
      response.writeHead(301, { Location: `https://chat.example.com${request.url}` }).end(),
    );
    expect(error.message).toBe(
      `PUT ${url}/api/bot/subscription answered 301 to https://chat.example.com/api/bot/subscription: set url to https://chat.example.com`,
    );
  });

  it('another website is reported at the first request', async () => {
    for (const status of [200, 403, 404]) {
      const { url, error } = await serve((_, response) =>
        response.writeHead(status, { 'Content-Type': 'text/html' }).end('<p>Hello'),
      );
      expect(error).toBeInstanceOf(ParleyError);
      expect(error.message).toContain(`PUT ${url}/api/bot/subscription answered ${status} with text/html`);
      expect(error.message).toContain('url');
    }
  });

  it('the URL of the API is reported when the bot runs', async () => {
    const bot = createBot({ url: 'https://chat.example.com/api/bot', token: 'x' }).on('message', () => undefined);
    await expect(bot.run()).rejects.toThrow('url must be the address of Parley itself, without /api/bot');
  });
});
