import type { MessageView } from '../../messages/message.js';
import { isReturn } from '../../receivers/event-type.js';
import type { OpenCall } from '../model/transcript.js';
import type { ChatNotes } from '../turns/shared-chat.queries.js';

/**
 * The answer to a call that depended on what people did next (CONTRACT: Bots by address).
 * @param messages of the chat, in order
 * @param note the newest note to the bot; null if there's none, or if notes aren't shared
 */
export function answerOf(
  { tool, messageId }: OpenCall,
  messages: readonly MessageView[],
  afterSeq: number,
  note: ChatNotes['toBot'],
): Record<string, unknown> {
  const later = messages.filter(({ seq }) => seq > afterSeq);
  return tool === 'hand_over' ? ofHandOver(later, note) : ofChoices(later, messageId);
}

function ofHandOver(later: readonly MessageView[], note: ChatNotes['toBot']): Record<string, unknown> {
  const events = later.filter(({ sender }) => sender.type === 'SYSTEM').map(({ metadata }) => metadata);
  const named = (event: string, name: string) =>
    events.filter((one) => one.event === event).flatMap((one) => (typeof one[name] === 'string' ? [one[name]] : []));
  const agents = [...new Set(named('chat.assigned', 'agentName'))];
  const returned = events.some(({ event }) => isReturn(event));
  const status = agents.length > 0 ? 'answered' : returned ? 'unanswered' : 'waiting';
  const isOfReturn = note !== null && later.some(({ createdAt }) => createdAt <= note.at.toISOString());
  const group = named('chat.transferred', 'groupName')[0] ?? null;
  return { status, group, agents, returned, ...(isOfReturn && { note: note.text }) };
}

function ofChoices(later: readonly MessageView[], messageId: string | null): Record<string, unknown> {
  const chosen = later.find(({ replyTo }) => replyTo !== undefined && replyTo.messageId === messageId);
  return { status: 'shown', ...(chosen && { chosen: chosen.replyTo!.value }) };
}
