import { describe, expect, it } from '@jest/globals';
import type { Chat, Message, Sender } from 'parley/visitor';
import { type Ask, Conversation } from '../../dist/visitor/widget/client/conversation.js';
import { createStore } from '../../dist/visitor/widget/client/store.js';
import { memory } from '../support/observing.js';

const CHAT = { id: 'cht_1', status: 'ACTIVE', read: { visitor: 0, organization: 0 } } as Chat;
const BOT = { type: 'BOT', id: 'bot_1', name: 'Bot' } as const;
const ADA = { type: 'AGENT', id: 'agt_1', name: 'Ada' } as const;
const ADA_HAS = { ...CHAT, assignedTo: { id: ADA.id, name: ADA.name, avatarUrl: null } } as Chat;

function say(seq: number): Message {
  const sender = BOT;
  const createdAt = '2026-01-15T08:30:00.000Z';
  return { id: `msg_${seq}`, chatId: CHAT.id, seq, type: 'TEXT', content: `${seq}`, metadata: {}, sender, createdAt };
}

/** Requests wait for their response, which has the service's state at the time of the request. */
function follow() {
  const said: Message[] = [];
  const service = { chat: CHAT };
  const asked: (() => void)[] = [];
  const ask = ((event: string, { afterSeq }: { afterSeq: number }) => {
    const messages = said.slice(afterSeq);
    const answer = { chat: service.chat, messages, latestSeq: said.length, hasMore: false };
    return new Promise((resolve) => asked.push(() => resolve(event === 'read' ? {} : answer)));
  }) as unknown as Ask;
  const ignore = () => undefined;
  const conversation = new Conversation(createStore('key', memory()), ask, () => true, ignore);
  const answer = async () => {
    asked.shift()?.();
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  const typists = () => conversation.typing.senders.value.map(({ name }) => name);
  return {
    service,
    said,
    asked,
    answer,
    conversation,
    typists,
    seqs: () => conversation.timeline.messages.value.map(({ seq }) => seq),
  };
}

describe('a conversation', () => {
  it('the conversation syncs again for events that arrived during a sync', async () => {
    const { said, asked, answer, conversation, seqs } = follow();
    void conversation.catchUp({});
    await answer();
    said.push(say(1));
    conversation.receive('seq', { chatId: CHAT.id, latestSeq: 1 });
    said.push(say(2));
    conversation.receive('seq', { chatId: CHAT.id, latestSeq: 2 });
    await answer();
    await answer();
    expect(seqs()).toEqual([1, 2]);
    expect(asked).toEqual([]);
  });

  it('the conversation keeps events of a chat that arrived before the response that reopens it', async () => {
    const { answer, conversation } = follow();
    void conversation.catchUp({});
    await answer();
    void conversation.catchUp({});
    conversation.receive('chat', { ...CHAT, status: 'CLOSED' });
    await answer();
    expect(conversation.chat.value).toMatchObject({ status: 'CLOSED' });
  });

  it('the conversation fills a gap before events that arrived while it opened', async () => {
    const { said, asked, answer, conversation, seqs } = follow();
    void conversation.catchUp({});
    said.push(say(1), say(2));
    conversation.receive('message', { ...say(2) });
    await answer();
    while (asked.length > 0) await answer();
    expect(seqs()).toEqual([1, 2]);
  });

  it('the conversation syncs events that arrived while it opened', async () => {
    const { said, asked, answer, conversation, seqs } = follow();
    void conversation.catchUp({});
    said.push(say(1));
    conversation.receive('seq', { chatId: CHAT.id, latestSeq: 1 });
    await answer();
    await answer();
    await answer();
    expect(seqs()).toEqual([1]);
    expect(asked).toEqual([]);
  });

  it("a read mark of the previous chat isn't taken for one of the current chat", async () => {
    const { said, asked, answer, conversation } = follow();
    said.push(say(1), say(2), say(3));
    void conversation.catchUp({});
    await answer();
    expect(conversation.reading.unread.value).toBe(3);
    conversation.read();
    conversation.leave();
    void conversation.catchUp({});
    // The other chat opens, then the response to the previous chat's mark arrives.
    asked.reverse();
    await answer();
    await answer();
    conversation.reading.adopt(CHAT);
    conversation.reading.count(said);
    expect([conversation.reading.unread.value, asked.length]).toEqual([3, 0]);
    conversation.read();
    expect(asked).toHaveLength(1);
  });

  it("an answer from before a message that has come isn't taken for a restored backup", async () => {
    const { said, asked, answer, conversation, seqs } = follow();
    const news: number[] = [];
    conversation.onMessage(({ seq }) => news.push(seq));
    said.push(say(1));
    void conversation.catchUp({});
    await answer();
    void conversation.catchUp({});
    said.push(say(2));
    void conversation.catchUp({});
    asked.reverse();
    await answer();
    said.push(say(3));
    while (asked.length > 0) await answer();
    conversation.receive('message', { ...say(3) });
    expect({ seqs: seqs(), news }).toEqual({ seqs: [1, 2, 3], news: [2, 3] });
  });

  it("messages of a chat that opens aren't news, even if another one was being opened before", async () => {
    const { said, answer, conversation } = follow();
    const heard: number[] = [];
    conversation.onMessage(({ seq }) => heard.push(seq));
    said.push(say(1));
    void conversation.catchUp({});
    conversation.leave();
    void conversation.catchUp({});
    await answer();
    await answer();
    expect(heard).toEqual([]);
  });

  const type = (conversation: Conversation, sender: Sender, text?: string) =>
    conversation.receive('typing', { chatId: CHAT.id, sender, isTyping: true, text, afterSeq: 0, at: 1 });

  it('no one types in a chat that ended while the connection was lost', async () => {
    const { service, answer, conversation, typists } = follow();
    void conversation.catchUp({});
    await answer();
    type(conversation, BOT, 'Let me see');
    expect(typists()).toEqual(['Bot']);
    service.chat = { ...CHAT, status: 'CLOSED' };
    void conversation.catchUp({});
    await answer();
    expect(typists()).toEqual([]);
  });

  it('an agent who lost the chat no longer types in it, after a lost connection and without one', async () => {
    const { service, answer, conversation, typists } = follow();
    service.chat = ADA_HAS;
    void conversation.catchUp({});
    await answer();
    type(conversation, ADA);
    type(conversation, BOT, 'Let me see');
    service.chat = { ...CHAT, assignedTo: null };
    void conversation.catchUp({});
    await answer();
    expect(typists()).toEqual(['Bot']);
    conversation.receive('chat', { ...ADA_HAS });
    type(conversation, ADA);
    expect(typists()).toEqual(['Ada', 'Bot']);
    conversation.receive('chat', { ...CHAT, assignedTo: null });
    expect(typists()).toEqual(['Bot']);
    conversation.leave();
  });
});
