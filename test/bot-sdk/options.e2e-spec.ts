import { describe, expect, it } from '@jest/globals';
import {
  createBot,
  type MessageTurn,
  ParleyError,
  SupersededError,
  toModelMessages,
} from '../../packages/bot/src/index.js';
import { testBot } from '../../packages/bot/src/test.js';
import { until } from '../support/eventually.js';
import { Setting } from './support/setting.js';

const WRONG_TOKEN = `prl_pat_${'x'.repeat(38)}`;

describe('the options of the SDK', () => {
  const at = new Setting();

  it.each([
    [{ onNewMesage: 'collect' }, 'there is no option onNewMesage: there are url, token, concurrency, onNewMessage'],
    [{ share: 'yes' }, 'share must be true or false'],
    [{ deadline: '60' }, "deadline must be a number, not the text '60'"],
    [{ deadline: 0 }, 'deadline must be at least 1'],
    [{ concurrency: true }, 'concurrency must be a number, not a value of the type boolean'],
    [{ grace: Number.NaN }, 'grace must be from 0 to 2147483647'],
    [{ onNewMessage: 'drop' }, 'onNewMessage must be queue, interrupt, collect'],
    [{ onError: 'handover' }, "onError must be 'handOver', 'retry', or a function"],
    [{ failure: { sentense: 'x' } }, 'failure: there is no option sentense: there are sentence, reason'],
    [{ failure: { reason: 7 } }, 'failure: reason must be a text'],
    [{ failure: 'sorry' }, 'failure must be an object'],
    [{ log: true }, 'log must be a function'],
    [{ onGap: 'log' }, 'onGap must be a function'],
    [{ signals: 1 }, 'signals must be true or false'],
    [{ deadlineSentence: 7 }, 'deadlineSentence must be a text'],
    [{ constructor: 1 }, 'there is no option constructor'],
  ])('createBot rejects %j', (options, message) => {
    const create = () => createBot({ url: 'http://parley.invalid', token: 'x', ...options } as never);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(message);
  });

  it('createBot takes omitted options, Infinity, and functions', () => {
    const none = { url: undefined, token: undefined };
    createBot({ ...none, deadline: Infinity, typingAfter: Infinity, maxUnanswered: Infinity });
    createBot({ ...none, deadline: undefined, failure: undefined, onError: () => 'ignore', onGap: () => undefined });
    expect(() => createBot(undefined as never)).toThrow('options must be an object');
  });

  const told = async (handler: (turn: MessageTurn) => unknown) => {
    const bot = createBot({ url: undefined, token: undefined, log: () => undefined }).on('message', handler);
    const { errors, replies } = await testBot(bot).say('hello');
    expect(replies).toEqual([]);
    return String((errors[0] as Error).message);
  };

  it.each<[string, (turn: MessageTurn) => unknown, string]>([
    [
      'reply',
      ({ reply }) => reply('x', { typ: 'IMAGE' } as never),
      'reply(): there is no option typ: there are type, metadata',
    ],
    [
      'reply',
      ({ reply }) => reply('x', { type: 'PICTURE' } as never),
      'reply(): type must be TEXT, IMAGE, BUTTON, QUICK_REPLY',
    ],
    ['say', ({ say }) => say('x', { metadata: 'x' } as never), 'say(): metadata must be an object'],
    [
      'handOver',
      ({ handOver }) => handOver({ sumary: 'x' } as never),
      'handOver(): there is no option sumary: there are',
    ],
    [
      'handOver',
      ({ handOver }) => handOver({ ifUnavailable: 'fail' } as never),
      "handOver(): ifUnavailable must be 'QUEUE' or 'FAIL'",
    ],
    [
      'handOver',
      ({ handOver }) => handOver({ maxWaitSeconds: '60' } as never),
      "maxWaitSeconds must be a number, not the text '60'",
    ],
  ])('%s rejects an option that there is not, or that is wrong, and names it', async (_, handler, message) => {
    expect(await told(handler)).toContain(message);
  });

  it.each([
    [
      'BUTTON',
      [{ labl: 'x', value: 'y' }],
      'metadata.options[0] of a BUTTON must be { label, value } or { label, url }',
    ],
    ['BUTTON', [{ label: 'x', url: 'https://x' }, { label: 'x' }], 'metadata.options[1] of a BUTTON'],
    ['QUICK_REPLY', [{ label: 'x', url: 'y' }], 'must be { label, value } with texts; it has label, url'],
    ['QUICK_REPLY', [{ label: 'x', value: 1 }], 'metadata.options[0] of a QUICK_REPLY'],
    ['QUICK_REPLY', 'yes', 'metadata.options of a QUICK_REPLY must be an array'],
  ] as const)('choices of a %s are checked: %j', async (type, options, message) => {
    const more = { type, metadata: { options } };
    expect(await told(({ reply }) => reply('x', more))).toContain('reply(): metadata.options');
    expect(await told(({ reply }) => reply('x', more))).toContain(message);
    expect(await told(({ say }) => say('x', more))).toContain(message);
    await expect(at.make().chat('cht_x').send('x', more)).rejects.toThrow(message);
  });

  it('right choices, and null for an omitted option as models give it, are taken', async () => {
    const options = [
      { label: 'x', url: 'https://x.example', icon: 1 },
      { label: 'y', value: 'y' },
    ];
    const bot = createBot({ url: undefined, token: undefined }).on('message', async ({ reply, handOver }) => {
      await reply('x', { type: 'BUTTON', metadata: { options } });
      await handOver({ reason: 'r', summary: null, targetGroupId: undefined } as never);
    });
    const { replies, errors, handedOver } = await testBot(bot).say('hello');
    expect([replies.length, errors, handedOver?.reason]).toEqual([1, [], 'r']);
  });

  it('calls outside of a handler reject options that there are not', async () => {
    const bot = at.make();
    const chat = bot.chat(at.tenant.chatId);
    const misspelt = { if_owner: 'BOT' } as never;
    for (const call of [chat.send('x', misspelt), chat.handOver(misspelt), chat.close(misspelt)])
      await expect(call).rejects.toThrow('there is no option if_owner: there are');
    await expect(bot.openChat({ externalID: 'x' } as never)).rejects.toThrow('no option externalID');
    await expect(bot.chats({ visitor: 'x' } as never).next()).rejects.toThrow('no option visitor');
    expect(() => bot.webhook({ secret: 'whsec_eA==', anser: 'atOnce' } as never)).toThrow('no option anser');
    expect(() => toModelMessages([], { maxToken: 1 } as never)).toThrow('no option maxToken: there are format');
    expect(() => testBot(bot, { visitors: {} } as never)).toThrow(
      'no option visitors: there are visitor, availability',
    );
    expect(() => testBot(bot, { visitor: { mail: 'x' } } as never)).toThrow('visitor: there is no option mail');
  });

  it('a missing or wrong address or token is an error of run() and of each call, without a stack', async () => {
    for (const [options, message] of [
      [{ url: undefined }, 'url is missing'],
      [{ token: '' }, 'token is missing'],
      [{ url: 'localhost' }, 'url must be an http or https address'],
    ] as const) {
      const bot = at.make(options).on('message', () => undefined);
      const error = await bot.run().catch((reason: unknown) => reason as Error);
      expect(error).toBeInstanceOf(TypeError);
      expect((error as Error).stack).toBe(`TypeError: ${(error as Error).message}`);
      await expect(bot.me()).rejects.toThrow(message);
      expect(() => bot.webhook({ secret: 'whsec_eA==' })).toThrow(message);
    }
  });

  it('a wrong token, another website, and a second copy end run() without a stack', async () => {
    const errors = [
      await at
        .make({ token: WRONG_TOKEN })
        .on('message', () => undefined)
        .run()
        .catch((error: unknown) => error),
      await at
        .make({ url: `${at.parley.url}/docs` })
        .on('message', () => undefined)
        .run()
        .catch((error: unknown) => error),
    ];
    const lines: string[] = [];
    const { ended } = await at.start(({ ignore }) => ignore(), { log: (line) => void lines.push(line) });
    await until('it waits for events', () => lines.length > 0);
    await at.start(({ ignore }) => ignore());
    const superseded = await ended;
    expect(superseded).toBeInstanceOf(SupersededError);
    for (const error of [...errors, superseded] as ParleyError[]) {
      expect(error).toBeInstanceOf(ParleyError);
      expect(error.stack).toBe(`${error.name}: ${error.message}`);
    }
  });

  it('a bot says once as whom it is connected, and where', async () => {
    const lines: unknown[] = [];
    await at.start(({ reply }) => reply('here'), { log: (line, about) => void lines.push({ line, ...about }) });
    await at.say('hello');
    await at.reads(['hello', 'here']);
    expect(lines).toEqual([{ line: `connected as Bot to ${at.proxy.url}`, level: 'info' }]);
  });

  it('twenty chats together, and a model that listens often, cause no warning of a leak', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    let running = 0;
    let isOver = false;
    const listen = (signal: AbortSignal) => {
      for (let count = 0; count < 20; count++) signal.addEventListener('abort', () => undefined);
    };
    await at.start(
      async ({ reply, signal }) => {
        listen(signal);
        running++;
        await until('all run', () => isOver);
        await reply('here');
      },
      { concurrency: 30 },
    );
    const chats = [{ id: at.tenant.chatId, visitorToken: at.tenant.visitorToken }];
    while (chats.length < 20) chats.push((await at.tenant.admin.post('/chats', {}).expect(201)).body);
    for (const { id, visitorToken } of chats) await at.say('hello', id, visitorToken);
    await until('all run', () => running === 20);
    isOver = true;
    for (const { id } of chats) await at.reads(['hello', 'here'], id);
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });
});
