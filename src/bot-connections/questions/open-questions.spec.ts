import { describe, expect, it } from '@jest/globals';
import type { Said } from '../model/conversation.js';
import type { OpenQuestions } from '../model/question.js';
import { continued, toQuestion } from './open-questions.js';
import type { Interrupt } from '../model/question.js';

const said = (text: string, fields: object = {}): Said[] => [
  { id: 'msg_2', seq: 2, by: 'VISITOR', name: null, text, value: null, repliesTo: null, files: [], ...fields },
];
const open = (...interrupts: Partial<Interrupt>[]): OpenQuestions => ({
  interrupts: interrupts.map((one, at) => ({ id: `i${at}`, reason: 'input_required', ...one })),
  payloads: [],
  messageId: 'msg_q',
  seq: 1,
  isAskedAgain: false,
});
const NOW = Date.parse('2026-11-28T12:00:00Z');
const answered = (questions: OpenQuestions, asked: Said[], isLeft = false) => continued(questions, asked, isLeft, NOW);
const schema = (responseSchema: Record<string, unknown>) => open({ responseSchema });

describe('the questions of an endpoint', () => {
  it.each<[string, OpenQuestions, string, unknown]>([
    ['words', open({}), 'Blue, please', 'Blue, please'],
    ['a confirmation', open({ reason: 'confirmation' }), 'yes', true],
    ['a tool call', open({ reason: 'tool_call' }), 'No', { approved: false }],
    ['an enum', schema({ enum: ['S', 'M', 3] }), '3', 3],
    ['a boolean', schema({ type: 'boolean' }), 'Yes', true],
    [
      'an object with one choice',
      schema({
        type: 'object',
        required: ['size'],
        properties: { size: { enum: ['S', 'M'] }, note: { type: 'string' } },
      }),
      'm',
      { size: 'M' },
    ],
    ['a string', schema({ type: 'string', maxLength: 5 }), 'blue', 'blue'],
    ['a number', schema({ type: 'number', minimum: 0 }), ' 2.5 ', 2.5],
    ['an integer', schema({ type: 'integer' }), '42', 42],
  ])('%s becomes the payload', (_, questions, words, payload) => {
    expect(answered(questions, said(words))).toEqual({ entries: [{ interruptId: 'i0', status: 'resolved', payload }] });
  });

  it('a click on a choice counts, with any text', () => {
    const click = said('The medium one', { value: 'M', repliesTo: 'msg_q' });
    expect(answered(schema({ enum: ['S', 'M'] }), click)).toMatchObject({ entries: [{ payload: 'M' }] });
  });

  it.each<[Record<string, unknown>]>([
    [{ type: 'object', required: ['a', 'b'], properties: { a: { type: 'boolean' }, b: { type: 'boolean' } } }],
    [{ type: 'object', required: ['a'], properties: { a: { type: 'string' } } }],
    [{ type: 'object', required: ['__proto__'], properties: {} }],
    [{ type: 'array' }],
    [{ enum: [] }],
    [{ enum: [{ a: 1 }] }],
    [{ enum: ['x'.repeat(101)] }],
    [{ enum: Array.from({ length: 11 }, (_, n) => n) }],
    [{}],
  ])('a chat can not ask %j', (responseSchema) => {
    expect(toQuestion({ id: 'i', reason: 'x', responseSchema })).toBeNull();
  });

  it('two questions are asked one after the other, and answered together', () => {
    const questions = open({ message: 'Color?' }, { message: 'Sure?', reason: 'confirmation', toolCallId: 'c1' });
    const next = answered(questions, said('blue'));
    expect(next).toMatchObject({ ask: { text: 'Sure?', choices: [{ label: 'Yes' }, { label: 'No' }] } });
    const second = { ...questions, ...(next as { questions: object }).questions, messageId: 'msg_q2' };
    expect(answered(second, said('Yes'))).toEqual({
      entries: [
        { interruptId: 'i0', status: 'resolved', payload: 'blue' },
        { interruptId: 'i1', status: 'resolved', payload: true, toolCallId: 'c1' },
      ],
    });
  });

  it('words that are no number are asked for once more', () => {
    const questions = schema({ type: 'integer', minimum: 1 });
    const next = answered(questions, said('many'));
    expect(next).toMatchObject({ ask: { text: 'Please answer.' }, questions: { isAskedAgain: true } });
    const again = { ...questions, isAskedAgain: true };
    expect(answered(again, said('0'))).toEqual({ entries: [{ interruptId: 'i0', status: 'cancelled' }] });
  });

  it('other words where only choices fit cancel this one and the rest', () => {
    const questions = { ...open({}, { reason: 'confirmation' }, {}), payloads: [{ payload: 'a' }] };
    expect(answered(questions, said('Why?'))).toMatchObject({
      entries: [{ status: 'resolved', payload: 'a' }, { status: 'cancelled' }, { status: 'cancelled' }],
    });
  });

  it('an agent who had the chat cancels them', () => {
    expect(answered(open({}), said('blue'), true)).toEqual({ entries: [{ interruptId: 'i0', status: 'cancelled' }] });
  });

  it.each([
    ['2026-11-28T12:00:00Z', 'cancelled'],
    ['2026-11-28T12:00:01Z', 'resolved'],
    ['soon', 'resolved'],
  ])('one that expires at %s is %s', (expiresAt, status) => {
    expect(answered(open({ expiresAt }), said('blue'))).toMatchObject({ entries: [{ status }] });
  });

  it('one that expires before the run is canceled, though it was answered', () => {
    const questions = { ...open({ expiresAt: '2026-11-28T11:00:00Z' }, {}), payloads: [{ payload: 'a' }] };
    expect(answered(questions, said('b'))).toMatchObject({
      entries: [{ status: 'cancelled' }, { status: 'resolved' }],
    });
  });
});
