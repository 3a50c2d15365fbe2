import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Sender } from '../../messages/message.js';
import { Timings } from '../feeds/timings.js';
import { TypingOrder } from './typing-order.js';

const BOT: Sender = { type: 'BOT', id: 'bot_1', name: 'Bot' };

describe('TypingOrder', () => {
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

  it('admits no older text after a newer one, and no text twice', () => {
    expect([text(5), text(4), text(5), text(6)]).toEqual([true, false, false, true]);
  });

  it('admits nothing older than the end of typing, and no end older than a text', () => {
    expect([text(5), end(7), text(6), life(6), text(8), end(7)]).toEqual([true, true, false, false, true, false]);
  });

  it('admits a text from the millisecond of the previous end, but no older one', () => {
    expect([text(5), end(5), text(5), text(5), end(5), text(4)]).toEqual([true, true, true, false, true, false]);
  });

  it('admits an older text after a signal without a text', () => {
    expect([life(9), text(5), life(4)]).toEqual([true, true, false]);
  });

  it('admits nothing that was accepted before a message of its sender, no matter how late', () => {
    order.onMessage('c', 'bot_1', 3);
    order.onMessage('c', 'bot_1', 2);
    expect([text(1, 2), life(1, 2), text(2, 3)]).toEqual([false, false, true]);
    jest.advanceTimersByTime(3_600_000);
    expect([text(9, 2), text(9, 3)]).toEqual([false, true]);
    order.onMessage('c', 'bot_2', 9);
    order.onMessage('d', 'bot_1', 9);
    expect(text(10, 3)).toBe(true);
  });

  it('admits signals of the previous release, which have no order, and forgets chats', () => {
    order.onMessage('c', 'bot_1', 3);
    expect(order.admit(signal)).toBe(true);
    order.forget('c');
    expect(text(1, 2)).toBe(true);
  });

  it('admits texts again 10 s after a clock was set back', () => {
    expect([text(1_000_000), text(5)]).toEqual([true, false]);
    jest.advanceTimersByTime(10_000);
    expect([text(6), text(7)]).toEqual([true, true]);
  });
});
