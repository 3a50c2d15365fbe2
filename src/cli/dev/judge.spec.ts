import { describe, expect, it } from '@jest/globals';
import { faultOf, type Message, toTurns } from './judge.js';

/** Messages by their senders: `v` the visitor, `b` the bot, `t` a transfer, `r` a return, `o` the visitor reopens, `a` an agent. */
function chatOf(senders: string): Message[] {
  const types: { [letter: string]: string } = {
    v: 'VISITOR',
    b: 'BOT',
    t: 'SYSTEM',
    r: 'SYSTEM',
    o: 'SYSTEM',
    a: 'SYSTEM',
  };
  const events: { [letter: string]: string } = {
    t: 'chat.transferred',
    r: 'chat.returned',
    o: 'chat.reopened',
    a: 'chat.reopened',
  };
  return [...senders].map((letter, index) => ({
    id: `${letter}${index + 1}`,
    seq: index + 1,
    type: 'TEXT',
    content: '',
    metadata: letter in events ? { event: events[letter], by: { type: letter === 'a' ? 'AGENT' : 'VISITOR' } } : {},
    sender: { type: types[letter]!, name: null },
  }));
}

const judge = (senders: string, answerOf: { [id: string]: string | null } = {}, wanted = 1) =>
  toTurns(chatOf(senders), (id) => answerOf[id]).map((turn) => faultOf(turn, wanted));

describe('the judge of a conversation', () => {
  it.each<[string, string, (string | null)[]]>([
    ['answers in turn', 'vbvb', [null, null]],
    ['an answer too many', 'vbbvb', ['was answered twice', null]],
    ['no answer', 'vvb', ['was not answered', null]],
    ['a greeting that was not asked for', 'bvb', [null]],
    ['a hand-over, silence, and the bot again', 'vbvtvvrvb', [null, null, null, null, null]],
    ['the bot again, in a chat that was reopened', 'vtovb', [null, null]],
    ['an answer in a chat that an agent reopened', 'vbavb', [null, 'was answered while people had the chat']],
    ['an answer before a hand-over', 'vbt', [null]],
    ['an answer while people have the chat', 'vtvb', [null, 'was answered while people had the chat']],
  ])('without keys: %s', (_, senders, faults) => {
    expect(judge(senders)).toEqual(faults);
  });

  it("an answer's idempotency key says which message it answers", () => {
    expect(judge('vvbb', { b3: 'v1', b4: 'v2' })).toEqual([null, null]);
    expect(judge('vvbb', { b3: 'v2', b4: 'v1' })).toEqual(['was answered after a later message', null]);
    const turns = toTurns(chatOf('vvbb'), (id) => ({ b3: 'v2', b4: 'v1' })[id]);
    expect(turns.map((turn) => faultOf(turn, 1, false))).toEqual([null, null]);
    expect(judge('vbvb', { b2: 'v1', b4: 'v1' })).toEqual(['was answered twice', 'was not answered']);
    expect(judge('vbb', { b2: 'v1', b3: null })).toEqual([null]);
  });

  it('a message counts as an answer to each message that its metadata names', () => {
    const chat = (answers: object) =>
      chatOf('vvvbb').map((message) => (message.id === 'b4' ? { ...message, metadata: { answers } } : message));
    const faults = (answers: object) =>
      toTurns(chat(answers), (id) => (id === 'b5' ? 'v3' : undefined)).map((turn) => faultOf(turn, 1));
    expect(faults({ fromSeq: 1, toSeq: 2 })).toEqual([null, null, null]);
    expect(faults({ fromSeq: 2, toSeq: 3 })).toEqual(['was not answered', null, 'was answered twice']);
  });

  it('an answer must have the expected number of messages', () => {
    expect(judge('vbbvb', {}, 2)).toEqual([null, 'was answered with 1 of 2 messages']);
    expect(judge('vbbb', {}, 2)).toEqual(['was answered with 3 messages instead of 2']);
  });
});
