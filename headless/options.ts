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
  return optionsIn(metadata?.options);
}

/** Reads a list of options, which may have any form. Leaves malformed options out. */
export function optionsIn(given: unknown): Option[] {
  return Array.isArray(given) ? given.flatMap(toOption) : [];
}

function toOption(given: unknown): Option[] {
  const { label, value, url } = (given ?? {}) as Record<string, unknown>;
  if (typeof label !== 'string' || !label.trim()) return [];
  if (typeof value === 'string') return [{ label, value }];
  return typeof url === 'string' ? [{ label, href: safeUrl(url, 'http https mailto tel') }] : [];
}

/**
 * The message whose options take an answer: the newest choices of a bot or an agent, unless the visitor has said something since
 * (CONTRACT: Messages, `offer_over`). A message that failed says nothing, but an answer that failed can be sent again.
 */
export function openChoices(messages: readonly Message[], pending: readonly PendingMessage[]): Message | undefined {
  const question = messages.findLast(hasChoices);
  if (!question || messages.some(({ sender, seq }) => sender.type === 'VISITOR' && seq > question.seq))
    return undefined;
  const isAnswered = pending.some(({ state, replyTo }) => state !== 'failed' || replyTo?.messageId === question.id);
  return isAnswered ? undefined : question;
}

function hasChoices({ type, sender, deletedAt }: Message): boolean {
  const isOurs = sender.type === 'BOT' || sender.type === 'AGENT';
  return isOurs && (type === 'QUICK_REPLY' || type === 'BUTTON') && !deletedAt;
}

/** The value that the visitor chose last, by the id of the message with the options. */
export function choicesOf(messages: readonly Message[], pending: readonly PendingMessage[]): Map<string, string> {
  const choices = new Map<string, string>();
  for (const { replyTo } of [...messages, ...pending.filter(({ state }) => state !== 'failed')]) {
    if (replyTo) choices.set(replyTo.messageId, replyTo.value);
  }
  return choices;
}
