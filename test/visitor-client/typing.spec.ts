import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Message } from 'parley/visitor';
import { Typing } from '../../dist/visitor/headless/typing.js';

const BOT = { type: 'BOT', id: 'bot_1', name: 'Bot' } as const;
const ADA = { type: 'AGENT', id: 'agt_1', name: 'Ada' } as const;

describe("others' typing", () => {
  let typing: Typing;
  let sent: unknown[];

  beforeEach(() => {
    jest.useFakeTimers();
    sent = [];
    typing = new Typing(
      (isTyping, text) => sent.push(text ?? isTyping),
      () => false,
    );
  });
  afterEach(() => {
    typing.reset();
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  const writes = (text: string | undefined, afterSeq: number, at: number, sender: typeof BOT | typeof ADA = BOT) =>
    typing.receive({ sender, isTyping: true, text, afterSeq, at });
  const says = (seq: number, sender: typeof BOT | typeof ADA = BOT) =>
    typing.onMessage({ seq, sender } as unknown as Message);
  const shown = () => typing.senders.value.map(({ name, text }) => [name, text]);

  it('the newest live text stays while only typing is sent, and ends with it', () => {
    writes('Hel', 0, 1);
    writes('Hello', 0, 2);
    writes('He', 0, 1);
    typing.receive({ sender: BOT, isTyping: true });
    expect(shown()).toEqual([['Bot', 'Hello']]);
    writes('', 0, 3);
    expect(shown()).toEqual([['Bot', '']]);
    typing.receive({ sender: BOT, isTyping: false });
    writes('Hello', 0, 2);
    expect(shown()).toEqual([]);
  });

  it('live text keeps the order of the senders', () => {
    writes('a', 0, 1);
    writes('b', 0, 2, ADA);
    writes('ab', 0, 3);
    expect(shown()).toEqual([
      ['Bot', 'ab'],
      ['Ada', 'b'],
    ]);
  });

  it("live text ends only with its sender's message", () => {
    writes('Hello', 1, 1);
    writes('Hi', 1, 2, ADA);
    says(2);
    expect(shown()).toEqual([['Ada', 'Hi']]);
  });

  it("live text isn't shown when its message has arrived, over the feed or by sync", () => {
    says(2);
    writes('Hello', 1, 1);
    expect(shown()).toEqual([]);
    writes('Next', 2, 3);
    expect(shown()).toEqual([['Bot', 'Next']]);
    // An older message that arrives late ends nothing.
    says(2);
    expect(shown()).toEqual([['Bot', 'Next']]);
    says(3);
    expect(shown()).toEqual([]);
  });

  it('typing ends by itself', () => {
    writes('Hello', 0, 1);
    jest.advanceTimersByTime(11_000);
    writes(undefined, 0, 0);
    jest.advanceTimersByTime(11_000);
    expect(shown()).toEqual([['Bot', 'Hello']]);
    jest.advanceTimersByTime(1_000);
    expect(shown()).toEqual([]);
  });

  it('after a reconnect, what was shown before ends soon unless the service sends it again', () => {
    writes('Hello', 0, 1);
    writes('Hi', 0, 2, ADA);
    typing.expireSoon();
    expect(shown()).toEqual([
      ['Bot', 'Hello'],
      ['Ada', 'Hi'],
    ]);
    writes('Hello', 0, 1);
    jest.advanceTimersByTime(3_000);
    expect(shown()).toEqual([['Bot', 'Hello']]);
    jest.advanceTimersByTime(9_000);
    expect(shown()).toEqual([]);
    typing.expireSoon();
  });

  it('own live text is sent at most twice a second, including the latest text, and ends with the message', () => {
    for (const text of ['a', 'ab', 'abc']) typing.set(true, text);
    expect(sent).toEqual(['a']);
    jest.advanceTimersByTime(500);
    expect(sent).toEqual(['a', 'abc']);
    typing.set(true, 'abcd');
    typing.stop();
    jest.advanceTimersByTime(60_000);
    expect(sent).toEqual(['a', 'abc']);
    typing.set(true, 'x');
    typing.set(true, 'xy');
    typing.set(false);
    jest.advanceTimersByTime(60_000);
    expect(sent.slice(2)).toEqual(['x', false]);
  });

  it('own typing without text is sent every few seconds', () => {
    for (let second = 0; second < 8; second++) {
      typing.set(true);
      jest.advanceTimersByTime(1_000);
    }
    expect(sent).toEqual([true, true]);
    jest.advanceTimersByTime(60_000);
    expect(sent).toEqual([true, true, false]);
  });
});
