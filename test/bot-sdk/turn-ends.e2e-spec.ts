import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { MessageTurn } from '../../packages/bot/src/index.js';
import { until } from '../support/eventually.js';
import { Setting } from './support/setting.js';

/** Waits for the end of a turn like a model that gets its signal, and throws the reason. */
async function think({ signal }: MessageTurn): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}

describe('the end of an SDK turn', () => {
  const at = new Setting();
  const turns: MessageTurn[] = [];
  const ended: unknown[] = [];
  const startThinking = (deadline = 60_000) => {
    turns.length = 0;
    ended.length = 0;
    return at.start(
      async (turn) => {
        turns.push(turn);
        await think(turn).finally(() => ended.push(turn.signal.reason));
      },
      { deadline, typingAfter: 0 },
    );
  };
  const running = () => until('the handler runs', () => turns.length === 1);

  it('a turn ends when an agent takes the chat while the handler runs, and the typing indicator stops', async () => {
    const ada = await at.agent();
    await startThinking();
    await at.say('hello');
    await running();
    await ada.client.post(`/chats/${at.tenant.chatId}/claim`, {}).expect(200);
    await until('the turn is over', () => ended.length === 1);
    const visitor = await at.watch();
    await at.isDone();
    expect(visitor.all('typing').filter(({ isTyping }) => isTyping)).toEqual([]);
    expect(at.log).toEqual([]);
  });

  it('a turn ends when others transfer or close the chat', async () => {
    await startThinking();
    await at.say('hello');
    await running();
    await at.tenant.bot.post('/transfer', { chatId: at.tenant.chatId }).expect(200);
    await until('the turn is over', () => ended.length === 1);
    await at.tenant.bot.post(`/chats/${at.tenant.chatId}/return`).expect(200);
    await at.say('again');
    await until('the next one runs', () => turns.length === 2);
    await at.tenant.admin.patch(`/chats/${at.tenant.chatId}`, { status: 'CLOSED' }).expect(200);
    await until('that is over too', () => ended.length === 2);
    await at.isDone();
    expect(at.log).toEqual([]);
  });

  it('a turn ends before it starts when an agent took the chat during an earlier turn', async () => {
    const ada = await at.agent();
    await startThinking();
    await at.say('1');
    await running();
    await at.say('2');
    await ada.client.post(`/chats/${at.tenant.chatId}/claim`, {}).expect(200);
    await at.isDone();
    expect(turns.map(({ message }) => message.content)).toEqual(['1']);
    await ada.client.post(`/chats/${at.tenant.chatId}/return`, {}).expect(200);
    await at.say('3');
    await until('the bot has the chat again', () => turns.length === 2);
  });

  it("a turn's own hand-over doesn't end it: the handler continues, and the log says that nothing more is sent", async () => {
    const ada = await at.agent();
    let isOver = false;
    let wasAborted: boolean | undefined;
    await at.start(async ({ handOver, reply, signal }) => {
      await handOver({ reason: 'asked' });
      await until('an agent has it', () => isOver);
      wasAborted = signal.aborted;
      await reply('I am connecting you');
    });
    await at.say('human');
    await at.waitsForPeople();
    await ada.client.post(`/chats/${at.tenant.chatId}/claim`, {}).expect(200);
    isOver = true;
    await at.isDone();
    expect(wasAborted).toBe(false);
    expect(await at.contents()).not.toContain('I am connecting you');
    expect(at.lines()).toContain('reply() after handOver() is not sent');
  });

  it("a turn's own hand-over doesn't end it when an agent takes the chat before the turn has the response", async () => {
    const ada = await at.agent();
    let hasAsked = false;
    at.proxy.after = async (asked) => {
      if (asked.startsWith(`GET /api/bot/chats/${at.tenant.chatId}`)) hasAsked = true;
      if (asked.startsWith('POST /api/bot/transfer')) await until('the turn asks who has the chat', () => hasAsked);
    };
    let wasAborted: boolean | undefined;
    await at.start(async ({ handOver, signal }) => {
      await handOver({ reason: 'asked' }).catch(() => undefined);
      wasAborted = signal.aborted;
    });
    await at.say('human');
    await at.waitsForPeople();
    await ada.client.post(`/chats/${at.tenant.chatId}/claim`, {}).expect(200);
    await at.isDone();
    expect(wasAborted).toBe(false);
  });

  it("a turn's own hand-over doesn't end it when the typing indicator is refused before the turn has the response", async () => {
    let isTransferred = false;
    let wasRefused = false;
    at.proxy.after = async (asked) => {
      if (asked.endsWith('/typing')) wasRefused = isTransferred;
      if (!asked.startsWith('POST /api/bot/transfer')) return;
      isTransferred = true;
      await until('the turn signals that it is typing', () => wasRefused);
    };
    let wasAborted: boolean | undefined;
    const handler = async ({ handOver, signal }: MessageTurn) => {
      await handOver({ reason: 'asked' }).catch(() => undefined);
      wasAborted = signal.aborted;
    };
    await at.start(handler, { typingAfter: 200 });
    await at.say('human');
    await at.waitsForPeople();
    await at.isDone();
    expect(wasAborted).toBe(false);
  });

  it('handOver with say sends the last words before the chat is transferred', async () => {
    await at.start(({ handOver }) => handOver({ reason: 'asked', say: 'I am connecting you' }));
    await at.say('human');
    await at.waitsForPeople();
    expect(await at.contents()).toEqual(['human', 'I am connecting you', 'Chat transferred by bot']);
  });
});
