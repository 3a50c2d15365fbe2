import type { RequestContext } from '../auth/context/request-context.js';
import { newId } from '../platform/lib/ids.js';
import type { NewMessage } from './append.queries.js';
import type { MessageBody, ReplyTo, Sender } from './message.js';

interface MessageOptions {
  clientMessageId?: string;
  replyTo?: ReplyTo;
  ifOwner?: 'BOT';
  createdAt?: Date;
}

/** Makes a message with its id and its time. */
export function newMessage(
  { organizationId, traceparent }: RequestContext,
  chatId: string,
  sender: Sender,
  { type = 'TEXT', content, metadata }: MessageBody,
  { clientMessageId, replyTo, ifOwner, createdAt = new Date() }: MessageOptions = {},
): NewMessage {
  return {
    organizationId,
    chatId,
    sender,
    type,
    content,
    id: newId('msg'),
    metadata: metadata ?? null,
    createdAt,
    startedAt: performance.now(),
    traceparent,
    clientMessageId: clientMessageId ?? null,
    replyTo: replyTo ?? null,
    ifOwnerIsBot: ifOwner === 'BOT',
  };
}
