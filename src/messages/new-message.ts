import type { RequestContext } from '../auth/context/request-context.js';
import type { RequiredOwner } from '../chats/moves/chat-problems.js';
import { newId } from '../platform/lib/ids.js';
import type { NewMessage } from './append.queries.js';
import type { MessageBody, ReplyTo, Sender } from './message.js';

interface MessageOptions {
  clientMessageId?: string;
  replyTo?: ReplyTo;
  requiredOwner?: RequiredOwner;
  createdAt?: Date;
}

/** Makes a message with its id and its time. */
export function newMessage(
  { organizationId, traceparent }: RequestContext,
  chatId: string,
  sender: Sender,
  { type = 'TEXT', content = '', metadata, files }: MessageBody,
  { clientMessageId, replyTo, requiredOwner = null, createdAt = new Date() }: MessageOptions = {},
): NewMessage {
  return {
    organizationId,
    chatId,
    sender,
    type,
    content,
    id: newId('msg'),
    metadata: metadata ?? null,
    fileIds: files?.length ? files : null,
    files: null,
    createdAt,
    startedAt: performance.now(),
    traceparent,
    clientMessageId: clientMessageId ?? null,
    replyTo: replyTo ?? null,
    ifOwnerIsBot: requiredOwner !== null,
    requiredOwner,
  };
}
