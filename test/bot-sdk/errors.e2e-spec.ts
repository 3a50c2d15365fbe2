import { describe, expect, it } from '@jest/globals';
import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createBot, ParleyError } from '../../packages/bot/src/index.js';
import { until } from '../support/eventually.js';
import { Setting } from './support/setting.js';

describe('an error of a bot', () => {
  const at = new Setting();
  const reason = async () => (await at.messages()).at(-1).metadata.reason;

  it('is a turn that ends without an answer, as when a model fails without throwing', async () => {
    await at.start(async ({ say }) => {
      await say((async function* () {})());
    });
    await at.say('hello');
    await at.waitsForPeople();
    expect(at.lines()).toContain('NoReplyError');
    expect(await reason()).toBe('The bot cannot go on');
  });

  it('is not one that ends so on purpose', async () => {
    await at.start(({ ignore }) => ignore());
    await at.say('hello');
    await at.isDone();
    expect([await at.contents(), await at.owner(), at.log]).toEqual([['hello'], 'BOT', []]);
  });

  it('is told to the visitor and to people in the words that the bot is given', async () => {
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

  it('leads to the default group when the one for failures does not exist', async () => {
    await at.start(({ say }) => say(''), { failure: { targetGroupId: 'grp_none' } });
    await at.say('hello');
    await at.waitsForPeople();
    expect(at.lines()).toContain('failure.targetGroupId');
  });

  it('keeps what the visitor was reading, when the bot is told so', async () => {
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

  it('is for onError, which may run the handler again, or leave it', async () => {
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

  it('lets onError speak and hand over in its own way; one that throws does not keep the chat from people', async () => {
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

  it('is logged once, with the line of the handler and what it is about', async () => {
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

  it('of Parley says which request, which fields, and which line of the handler', async () => {
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

  it('is none for a summary, or a reason, of any length: both are cut', async () => {
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

  it('is none for a history of any length, and is one that names it for no number', async () => {
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

  it('is what say cannot send, by its name; bytes are text', async () => {
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

describe('a wrong address', () => {
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

  it('is said at the first request: a redirect', async () => {
    const { url, error } = await serve((request, response) =>
      response.writeHead(301, { Location: `https://chat.example.com${request.url}` }).end(),
    );
    expect(error.message).toBe(
      `PUT ${url}/api/bot/subscription answered 301 to https://chat.example.com/api/bot/subscription: set url to https://chat.example.com`,
    );
  });

  it('is said at the first request: another website', async () => {
    for (const status of [200, 403, 404]) {
      const { url, error } = await serve((_, response) =>
        response.writeHead(status, { 'Content-Type': 'text/html' }).end('<p>Hello'),
      );
      expect(error).toBeInstanceOf(ParleyError);
      expect(error.message).toContain(`PUT ${url}/api/bot/subscription answered ${status} with text/html`);
      expect(error.message).toContain('url');
    }
  });

  it('is said when the bot is made: the address of the API', () => {
    expect(() => createBot({ url: 'https://chat.example.com/api/bot', token: 'x' })).toThrow(
      'url must be the address of Parley itself, without /api/bot',
    );
  });
});
