import { beforeEach, describe, expect, it } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { Sender } from '../../messages/message.js';
import { VolatileTyping } from './volatile-typing.js';
import type { TypingEvent } from './typing-event.js';

const BOT: Sender = { type: 'BOT', id: 'bot_1', name: 'Bot' };
const OTHER: Sender = { type: 'BOT', id: 'bot_2', name: 'Other' };
const says = (text: string, sender = BOT): TypingEvent => ({ chatId: 'c', sender, isTyping: true, text });
const ends = (sender = BOT): TypingEvent => ({ chatId: 'c', sender, isTyping: false });

describe('VolatileTyping', () => {
  const typing = new VolatileTyping();
  let transport: EventEmitter & { writable: boolean };
  let conn: EventEmitter & { transport: EventEmitter & { writable: boolean } };
  let socket: Parameters<VolatileTyping['send']>[0];
  let sent: unknown[];

  beforeEach(() => {
    sent = [];
    transport = Object.assign(new EventEmitter(), { writable: true });
    conn = Object.assign(new EventEmitter(), { transport });
    socket = { conn, emit: (_, { text, isTyping }) => sent.push(text ?? isTyping) };
  });

  const stall = () => void (transport.writable = false);
  const resume = () => {
    transport.writable = true;
    transport.emit('ready');
  };

  it('sends a slow socket only the newest text of each sender', () => {
    typing.send(socket, says('a'));
    stall();
    for (const text of ['ab', 'abc', 'abcd']) typing.send(socket, says(text));
    typing.send(socket, says('z', OTHER));
    expect(sent).toEqual(['a']);
    resume();
    expect(sent).toEqual(['a', 'abcd', 'z']);
    typing.send(socket, says('abcde'));
    expect(sent.at(-1)).toBe('abcde');
    expect([transport.listenerCount('ready'), conn.listenerCount('upgrade')]).toEqual([0, 0]);
  });

  it('waits until the connection has sent its own buffer', () => {
    stall();
    typing.send(socket, says('a'));
    transport.emit('ready');
    expect(sent).toEqual([]);
    resume();
    expect(sent).toEqual(['a']);
  });

  it('sends no text after the end of typing, nor after a message', () => {
    stall();
    typing.send(socket, says('a'));
    typing.send(socket, ends());
    typing.send(socket, says('z', OTHER));
    typing.drop(socket, 'c', OTHER.id);
    resume();
    expect(sent).toEqual([false]);
  });

  it('sends a waiting text over the transport that replaces a slow one', () => {
    stall();
    typing.send(socket, says('a'));
    const next = Object.assign(new EventEmitter(), { writable: true });
    conn.transport = next;
    conn.emit('upgrade', next);
    expect(sent).toEqual(['a']);
  });
});
