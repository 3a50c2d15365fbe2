import { beforeEach, describe, expect, it } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { Sender } from '../../messages/message.js';
import { VolatileTyping } from './volatile-typing.js';
import type { TypingEvent } from './typing-event.js';

const BOT: Sender = { type: 'BOT', id: 'bot_1', name: 'Bot' };
const OTHER: Sender = { type: 'BOT', id: 'bot_2', name: 'Other' };
const says = (text: string, sender = BOT): TypingEvent => ({ chatId: 'c', sender, isTyping: true, text });
const ends = (sender = BOT): TypingEvent => ({ chatId: 'c', sender, isTyping: false });

describe('typing for a slow socket', () => {
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
  const goOn = () => {
    transport.writable = true;
    transport.emit('ready');
  };

  it('is the newest text of each sender alone, once the connection takes one', () => {
    typing.send(socket, says('a'));
    stall();
    for (const text of ['ab', 'abc', 'abcd']) typing.send(socket, says(text));
    typing.send(socket, says('z', OTHER));
    expect(sent).toEqual(['a']);
    goOn();
    expect(sent).toEqual(['a', 'abcd', 'z']);
    typing.send(socket, says('abcde'));
    expect(sent.at(-1)).toBe('abcde');
    expect([transport.listenerCount('ready'), conn.listenerCount('upgrade')]).toEqual([0, 0]);
  });

  it('waits for what the connection still has to send', () => {
    stall();
    typing.send(socket, says('a'));
    transport.emit('ready');
    expect(sent).toEqual([]);
    goOn();
    expect(sent).toEqual(['a']);
  });

  it('has no text behind the end of typing, nor behind a message', () => {
    stall();
    typing.send(socket, says('a'));
    typing.send(socket, ends());
    typing.send(socket, says('z', OTHER));
    typing.drop(socket, 'c', OTHER.id);
    goOn();
    expect(sent).toEqual([false]);
  });

  it('comes over the connection that takes its place', () => {
    stall();
    typing.send(socket, says('a'));
    const next = Object.assign(new EventEmitter(), { writable: true });
    conn.transport = next;
    conn.emit('upgrade', next);
    expect(sent).toEqual(['a']);
  });
});
