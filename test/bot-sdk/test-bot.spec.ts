import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type BotOptions, createBot, type MessageTurn } from '../../packages/bot/src/index.js';
import { testBot } from '../../packages/bot/src/test.js';
import { until } from '../support/eventually.js';

const make = (onMessage: (turn: MessageTurn) => unknown, options: Partial<BotOptions> = {}) =>
  createBot({ url: 'http://parley.invalid', token: 'x', log: () => undefined, typingAfter: 0, ...options }).on(
    'message',
    onMessage,
  );

describe('testBot', () => {
  it("testBot returns the bot's replies, and gives it the history", async () => {
    const seen: number[] = [];
    const chat = testBot(
      make(async ({ message, history, reply, say }) => {
        seen.push((await history()).length);
        await reply(`You said: ${message.content}`, { type: 'QUICK_REPLY', metadata: { options: [] } });
        await say(['and ', 'more']);
      }),
    );
    const { replies, handedOver, errors } = await chat.say('hello');
    expect(replies.map(({ content }) => content)).toEqual(['You said: hello', 'and more']);
    expect(replies[0]).toMatchObject({ type: 'QUICK_REPLY', metadata: { options: [] }, seq: 2 });
    expect([handedOver, errors]).toEqual([null, []]);
    await chat.say('again');
    expect(seen).toEqual([1, 4]);
    expect(chat.messages).toHaveLength(6);
  });

  it('testBot returns the hand-over, then nothing until the agent returns the chat', async () => {
    const bot = make(({ handOver }) => handOver({ reason: 'asked', summary: 'wants a refund', say: 'One moment' }));
    const notes: unknown[] = [];
    bot.on('chat.returned', async ({ data, reply }) => {
      notes.push(data.note);
      await reply('I am back');
    });
    const chat = testBot(bot);
    const first = await chat.say('human');
    expect(first.handedOver).toEqual({ reason: 'asked', summary: 'wants a refund' });
    expect(first.replies.map(({ content }) => content)).toEqual(['One moment']);
    await chat.claim();
    expect(await chat.say('anyone?')).toEqual({ replies: [], handedOver: null, errors: [] });
    const { replies } = await chat.return('done');
    expect([replies.map(({ content }) => content), notes]).toEqual([['I am back'], ['done']]);
  });

  it('testBot returns what a handler throws, and the hand-over that follows', async () => {
    const chat = testBot(
      make(() => {
        throw new Error('broken');
      }),
    );
    const { handedOver, errors } = await chat.say('hello');
    expect(errors).toEqual([new Error('broken')]);
    expect(handedOver).toEqual({ reason: 'bot_failed', cause: { name: 'Error', message: 'broken' } });
  });

  it.each(['claim', 'close'] as const)('testBot ends the running turn with %s', async (what) => {
    let reason: unknown;
    const chat = testBot(
      make(async ({ say, signal }) => {
        await say(
          (async function* () {
            yield 'Your order';
            if (!signal.aborted) await once(signal, 'abort');
            reason = signal.reason;
          })(),
        );
      }),
    );
    const turn = chat.say('hello');
    await until('the visitor sees it write', () => chat.typing === 'Your order');
    await chat[what]();
    expect(await turn).toEqual({ replies: [], handedOver: null, errors: [] });
    expect(String(reason)).toContain('the bots do not have the chat');
    expect(chat.typing).toBe('');
  });

  it('testBot keeps attributes of the chat and its visitor', async () => {
    const bot = make(async ({ chat: { id, visitor, attributes }, reply }) => {
      await reply(`${attributes.step ?? 1} ${visitor.attributes.plan ?? 'none'} ${visitor.verifiedAttributes.tier}`);
      await bot.chat(id).setAttributes({ step: 2, plan: null });
      await bot.setVisitorAttributes(visitor.id, { plan: 'gold' });
    });
    const chat = testBot(bot, { visitor: { verifiedAttributes: { tier: 'A' } } });
    expect((await chat.say('one')).replies.map(({ content }) => content)).toEqual(['1 none A']);
    expect((await chat.say('two')).replies.map(({ content }) => content)).toEqual(['2 gold A']);
  });

  it('testBot can simulate that no agent is available', async () => {
    const chat = testBot(
      make(async ({ handOver, availability, reply }) => {
        const [group] = await availability();
        if ((await handOver({ ifUnavailable: 'FAIL' })) === null) await reply(`They are ${group!.availability}`);
      }),
      { availability: 'OFFLINE', visitor: { name: 'Ben' } },
    );
    expect((await chat.say('human')).replies.map(({ content }) => content)).toEqual(['They are OFFLINE']);
    expect(chat.chat).toMatchObject({ owner: 'BOT', visitor: { name: 'Ben' } });
  });

  it('several tests share a bot', async () => {
    const bot = make(({ message, reply }) => reply(`You said: ${message.content}`));
    for (const content of ['hello', 'goodbye']) {
      const { replies } = await testBot(bot).say(content);
      expect(replies.map((reply) => reply.content)).toEqual([`You said: ${content}`]);
    }
  });

  it('testBot answers bursts together', async () => {
    const bot = make(({ messages, reply }) => reply(`to ${messages.map(({ content }) => content).join('+')}`), {
      onNewMessage: 'collect',
      collectFor: 500,
    });
    const chat = testBot(bot);
    const [first] = await Promise.all([chat.say('1'), chat.say('2')]);
    expect(first.replies.map(({ content }) => content)).toEqual(['to 1+2']);
  });
});
