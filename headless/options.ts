import type { Message, PendingMessage } from './types.js';
import { safeUrl } from './links.js';

/** An option of a message: an answer (`value`), a link (`href`), or a label alone when its address is not safe. */
export interface Option {
  label: string;
  value?: string;
  href?: string;
}

/** Reads the options from a message's metadata, which may have any form. Leaves malformed options out. */
export function optionsOf({ metadata }: Message): Option[] {
  const given: unknown = metadata?.options;
  return Array.isArray(given) ? given.flatMap(toOption) : [];
}

function toOption(given: unknown): Option[] {
  const { label, value, url } = (given ?? {}) as Record<string, unknown>;
  if (typeof label !== 'string' || !label.trim()) return [];
  if (typeof value === 'string') return [{ label, value }];
  return typeof url === 'string' ? [{ label, href: safeUrl(url, 'http https mailto tel') }] : [];
}

/** Returns the newest QUICK_REPLY message, unless the visitor has answered it. */
export function openQuestion(messages: readonly Message[], pending: readonly PendingMessage[]): Message | undefined {
  const asked = messages.findLast(({ type }) => type === 'QUICK_REPLY');
  const isAnswer = ({ replyTo }: Message | PendingMessage) => replyTo?.messageId === asked?.id;
  return asked && !messages.some(isAnswer) && !pending.some(isAnswer) ? asked : undefined;
}

/** The option of a message that the visitor chose last, and whether the answer is still being sent. */
export interface Choice {
  value: string;
  isSending: boolean;
}

export function choicesOf(messages: readonly Message[], pending: readonly PendingMessage[]): Map<string, Choice> {
  const choices = new Map<string, Choice>();
  for (const { replyTo } of messages) {
    if (replyTo) choices.set(replyTo.messageId, { value: replyTo.value, isSending: false });
  }
  for (const { replyTo, state } of pending) {
    if (replyTo && state !== 'failed') choices.set(replyTo.messageId, { value: replyTo.value, isSending: true });
  }
  return choices;
}
