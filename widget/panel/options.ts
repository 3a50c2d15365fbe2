import type { Message, PendingMessage } from '../client/types.js';
import { safeUrl } from './links.js';

/** A choice that a message offers: an answer (`value`), a link (`href`), or neither, when its address is not to be trusted. */
export interface Option {
  label: string;
  value?: string;
  href?: string;
}

/** The options of a message's metadata, which nobody has checked; malformed ones are left out. */
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

/** The newest QUICK_REPLY, unless the visitor has answered it. */
export function openQuestion(messages: readonly Message[], pending: readonly PendingMessage[]): Message | undefined {
  const asked = messages.findLast(({ type }) => type === 'QUICK_REPLY');
  const isAnswer = ({ replyTo }: Message | PendingMessage) => replyTo?.messageId === asked?.id;
  return asked && !messages.some(isAnswer) && !pending.some(isAnswer) ? asked : undefined;
}

/** What was chosen last of a message's buttons, and whether that is on its way. */
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
