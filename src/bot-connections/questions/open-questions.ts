import type { Said } from '../model/conversation.js';
import { formOf, type Interrupt, isExpired, type ResumeEntry, textOf } from './question.js';

/** The questions of a run. They're asked one after the other, and answered in one run. */
export interface OpenQuestions {
  interrupts: Interrupt[];
  /** The payloads of the answered ones, in their order. */
  payloads: { payload: unknown }[];
  /** The message that asks the current one. Later messages answer it. */
  messageId: string;
  seq: number;
  isAskedAgain: boolean;
}

/** What the visitor reads. */
export interface Question {
  text: string;
  choices: { label: string; value: string }[] | null;
}

/** What comes after the visitor's words: another question, or a run with the answers. */
export type Continuation =
  | { ask: Question; questions: Omit<OpenQuestions, 'messageId' | 'seq'> }
  | { entries: ResumeEntry[] };

/** A question as a message. Null: a chat can't ask it. */
export function toQuestion(interrupt: Interrupt): Question | null {
  const form = formOf(interrupt);
  if (!form) return null;
  const choices = 'choices' in form ? form.choices.map(({ label }) => ({ label, value: label })) : null;
  return { text: textOf(interrupt), choices };
}

/**
 * Continues after the visitor's messages.
 * @param isLeft whether others have had the chat since it was asked: its questions are canceled
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
  const words = asked.map(({ text }) => text).join('\n\n');
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
