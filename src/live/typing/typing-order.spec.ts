import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Sender } from '../../messages/message.js';
import { Timings } from '../feeds/timings.js';
import { TypingOrder } from './typing-order.js';

const BOT: Sender = { type: 'BOT', id: 'bot_1', name: 'Bot' };

describe('the order of what is typed and said', () => {
  let order: TypingOrder;

  beforeEach(() => {
    jest.useFakeTimers();
    order = new TypingOrder(new Timings());
  });
  afterEach(() => void jest.useRealTimers());

  const signal = { chatId: 'c', sender: BOT, isTyping: true };
  const text = (at: number, afterSeq = 0) => order.admit({ ...signal, text: 'x', at, afterSeq });
  const life = (at: number, afterSeq = 0) => order.admit({ ...signal, at, afterSeq });
  const end = (at: number, afterSeq = 0) => order.admit({ ...signal, isTyping: false, at, afterSeq });

  it('lets no older text pass after a newer one, nor the same twice', () => {
    expect([text(5), text(4), text(5), text(6)]).toEqual([true, false, false, true]);
  });

  it('lets nothing pass that is older than the end of typing, and no end that is older than a text', () => {
    expect([text(5), end(7), text(6), life(6), text(8), end(7)]).toEqual([true, true, false, false, true, false]);
  });

  it('lets a text pass that was begun in the millisecond in which the one before ended, but no older one', () => {
    expect([text(5), end(5), text(5), text(5), end(5), text(4)]).toEqual([true, true, true, false, true, false]);
  });

  it('takes a sign of life for no text: an older one may still come', () => {
    expect([life(9), text(5), life(4)]).toEqual([true, true, false]);
  });

  it('lets nothing pass that was taken before a message of its sender, however late', () => {
    order.onMessage('c', 'bot_1', 3);
    order.onMessage('c', 'bot_1', 2);
    expect([text(1, 2), life(1, 2), text(2, 3)]).toEqual([false, false, true]);
    jest.advanceTimersByTime(3_600_000);
    expect([text(9, 2), text(9, 3)]).toEqual([false, true]);
    order.onMessage('c', 'bot_2', 9);
    order.onMessage('d', 'bot_1', 9);
    expect(text(10, 3)).toBe(true);
  });

  it('knows what a node of the release before tells nothing of, and forgets chats', () => {
    order.onMessage('c', 'bot_1', 3);
    expect(order.admit(signal)).toBe(true);
    order.forget('c');
    expect(text(1, 2)).toBe(true);
  });

  it('is not stopped for long by a clock that was set back', () => {
    expect([text(1_000_000), text(5)]).toEqual([true, false]);
    jest.advanceTimersByTime(10_000);
    expect([text(6), text(7)]).toEqual([true, true]);
  });
});
