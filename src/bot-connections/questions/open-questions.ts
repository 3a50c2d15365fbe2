import type { Said } from '../model/conversation.js';
import type { Continuation, Interrupt, OpenQuestions, Question, ResumeEntry } from '../model/question.js';
import { formOf, isExpired, textOf } from './question.js';

/** A question as a message. Null: a chat can't ask it. */
export function toQuestion(interrupt: Interrupt): Question | null {
  const form = formOf(interrupt);
  if (!form) return null;
  const choices = 'choices' in form ? form.choices.map(({ label }) => ({ label, value: label })) : null;
  return { text: textOf(interrupt), choices };
}

/**
 * Continues after the visitor's messages.
 * @param isLeft whether anyone else has written since the question was asked, which cancels the questions
 * @param now milliseconds
 */
export function continued(open: OpenQuestions, asked: readonly Said[], isLeft: boolean, now: number): Continuation {
  const { interrupts, payloads, isAskedAgain } = open;
  const current = interrupts[payloads.length]!;
  const answer = isLeft || isExpired(current, now) ? 'cancelled' : read(current, open, asked);
  if (answer === 'cancelled' || (answer === null && isAskedAgain)) return { entries: entriesOf(open, payloads, now) };
  if (answer === null) return { ask: toQuestion(current)!, questions: { interrupts, payloads, isAskedAgain: true } };
  const answered = [...payloads, answer];
  const next = interrupts[answered.length];
  if (!next) return { entries: entriesOf(open, answered, now) };
  return { ask: toQuestion(next)!, questions: { interrupts, payloads: answered, isAskedAgain: false } };
}

/** @returns null if the words don't fit, and may be asked for again */
function read(
  interrupt: Interrupt,
  { messageId }: OpenQuestions,
  asked: readonly Said[],
): { payload: unknown } | 'cancelled' | null {
  const form = formOf(interrupt)!;
  const words = asked.flatMap(({ text }) => (text === '' ? [] : [text])).join('\n\n');
  if ('read' in form) return form.read(words);
  const chosen = asked.find(({ repliesTo, value }) => repliesTo === messageId && value !== null)?.value ?? words;
  const wanted = chosen.trim().toLowerCase();
  const choice = form.choices.find(({ label }) => label.trim().toLowerCase() === wanted);
  return choice ? { payload: choice.payload } : 'cancelled';
}

function entriesOf(
  { interrupts }: OpenQuestions,
  payloads: readonly { payload: unknown }[],
  now: number,
): ResumeEntry[] {
  return interrupts.map((interrupt, at) => {
    const { id: interruptId, toolCallId, isLegacy } = interrupt;
    const about = { interruptId, ...(toolCallId !== undefined && { toolCallId }), ...(isLegacy && { isLegacy }) };
    const answer = payloads[at];
    if (!answer || isExpired(interrupt, now)) return { ...about, status: 'cancelled' };
    return { ...about, status: 'resolved', payload: answer.payload };
  });
}
