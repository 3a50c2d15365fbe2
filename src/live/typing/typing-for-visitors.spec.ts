import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { Namespace } from 'socket.io';
import { Registry } from 'prom-client';
import type { Config } from '../../platform/config/config.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import type { Sender } from '../../messages/message.js';
import { OtherNodes } from '../../platform/cluster/other-nodes.js';
import { VisitorFeed } from '../feeds/visitor-feed.js';
import { LiveTexts } from './live-texts.js';
import { LiveUpdates } from '../feeds/live-updates.js';
import { LiveMetrics } from '../feeds/live-metrics.js';
import { Timings } from '../feeds/timings.js';
import { TypingForVisitors } from './typing-for-visitors.js';

const VERA: Sender = { type: 'VISITOR', id: 'vis_1', name: 'Vera' };
const BOT: Sender = { type: 'BOT', id: 'bot_1', name: 'Bot' };
const typingOf = (sender: Sender) => ({ chatId: 'c', sender, isTyping: true });

describe('TypingForVisitors', () => {
  let received: string[];
  let typing: TypingForVisitors;
  let rooms: Map<string, Set<string>>;
  let adapter: EventEmitter;

  beforeEach(() => {
    jest.useFakeTimers();
    received = [];
    rooms = new Map([['chat:c', new Set(['vera', 'agent'])]]);
    adapter = Object.assign(new EventEmitter(), { rooms });
    const socket = (visitorId: string, name: string) => ({
      data: { visitor: { visitorId } },
      emit: (_: string, { sender, isTyping }: { sender: Sender; isTyping: boolean }) =>
        received.push(`${name}: ${sender.name} ${isTyping}`),
    });
    const sockets = new Map([
      ['vera', socket('vis_1', 'vera')],
      ['agent', socket('other', 'agent')],
    ]);
    const feed = new VisitorFeed(
      new OtherNodes({ SECRET_KEY: 'a key' } as Config),
      new LiveMetrics(new Metrics(new Registry())),
    );
    feed.attach({ adapter, sockets, on: () => undefined } as unknown as Namespace);
    const nodes = new OtherNodes({ SECRET_KEY: 'a key' } as Config);
    const timings = new Timings();
    typing = new TypingForVisitors(feed, timings, new LiveTexts(new LiveUpdates(nodes), nodes, timings));
  });
  afterEach(() => {
    typing.onModuleDestroy();
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it('sends typing to every listener but the sender, and ends it 10 s after the last report', () => {
    typing.apply(typingOf(VERA), 's1');
    jest.advanceTimersByTime(9_000);
    typing.apply(typingOf(VERA), 's1');
    jest.advanceTimersByTime(9_999);
    expect(received).toEqual(['agent: Vera true', 'agent: Vera true']);
    jest.advanceTimersByTime(1);
    expect(received.at(-1)).toBe('agent: Vera false');
    jest.advanceTimersByTime(60_000);
    expect(received).toHaveLength(3);
  });

  it('ends typing when the last socket that reported it disconnects', () => {
    typing.apply(typingOf(VERA), 's1');
    typing.apply(typingOf(VERA), 's2');
    typing.leave('s1');
    typing.leave('s3');
    expect(received).toHaveLength(2);
    typing.leave('s2');
    expect(received.at(-1)).toBe('agent: Vera false');
    typing.leave('s2');
    expect(received).toHaveLength(3);
  });

  it('ends a sender’s typing with their own message', () => {
    typing.apply(typingOf(VERA));
    typing.apply(typingOf(BOT));
    typing.endWithMessage('c', BOT.id, 1);
    typing.endWithMessage('c', BOT.id, 1);
    typing.endWithMessage('c', null, 1);
    expect(received).toEqual([
      'agent: Vera true',
      'vera: Bot true',
      'agent: Bot true',
      'vera: Bot false',
      'agent: Bot false',
    ]);
  });

  it('keeps nothing for a chat without listeners', () => {
    typing.apply({ ...typingOf(BOT), chatId: 'other' });
    typing.apply(typingOf(BOT));
    expect(jest.getTimerCount()).toBe(1);
    rooms.clear();
    adapter.emit('delete-room', 'chat:c');
    expect(jest.getTimerCount()).toBe(0);
    expect(received).toHaveLength(2);
  });

  it('keeps at most 10,000 typists', () => {
    for (let count = 0; count < 10_001; count++) typing.apply(typingOf({ ...BOT, id: `bot_${count}` }));
    expect(jest.getTimerCount()).toBe(10_000);
    expect(received).toHaveLength(20_000);
  });
});
