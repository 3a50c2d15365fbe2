import type { WidgetSettings } from '../api.js';
import { newDraftId } from './field-drafts.js';
import { linesOf } from './lines.js';

type Message = WidgetSettings['proactiveMessages'][number];

export const MAX_MESSAGES = 10;

/** A proactive message as it is typed: '' for a rule that always holds, and one path per line. */
export interface MessageDraft {
  /** The same as long as the message is edited. */
  draftId: string;
  id: string;
  text: string;
  paths: string;
  excludedPaths: string;
  afterSeconds: string;
  afterScrollPercent: string;
  minPages: string;
  visitor: '' | NonNullable<Message['visitor']>;
}

export function toMessageDrafts(messages: readonly Message[]): MessageDraft[] {
  const numberOf = (value?: number) => (value === undefined ? '' : `${value}`);
  return messages.map(({ id, text, paths = [], excludedPaths = [], visitor, ...rules }) => ({
    draftId: id,
    id,
    text,
    paths: paths.join('\n'),
    excludedPaths: excludedPaths.join('\n'),
    afterSeconds: numberOf(rules.afterSeconds),
    afterScrollPercent: numberOf(rules.afterScrollPercent),
    minPages: numberOf(rules.minPages),
    visitor: visitor ?? '',
  }));
}

export function toMessages(drafts: readonly MessageDraft[]): Message[] {
  return drafts.map(({ id, text, visitor, ...rules }) => {
    const [paths, excludedPaths] = [linesOf(rules.paths), linesOf(rules.excludedPaths)];
    return {
      id: id.trim(),
      text: text.trim(),
      ...(paths.length > 0 && { paths }),
      ...(excludedPaths.length > 0 && { excludedPaths }),
      ...(rules.afterSeconds && { afterSeconds: Number(rules.afterSeconds) }),
      ...(rules.minPages && { minPages: Number(rules.minPages) }),
      ...(rules.afterScrollPercent && { afterScrollPercent: Number(rules.afterScrollPercent) }),
      ...(visitor && { visitor }),
    };
  });
}

/** A message without rules, with an id that no other one has. @param taken other ids, such as of removed messages with translations */
export function newMessage(drafts: readonly MessageDraft[], taken: readonly string[]): MessageDraft {
  const ids = new Set([...taken, ...drafts.map(({ id }) => id)]);
  let number = drafts.length + 1;
  while (ids.has(`message-${number}`)) number += 1;
  const rules = { paths: '', excludedPaths: '', afterSeconds: '10', afterScrollPercent: '', minPages: '' };
  return { draftId: newDraftId(), id: `message-${number}`, text: '', ...rules, visitor: '' };
}
