import type { FileLinks } from '../files/file-links.js';
import type { StoredFile } from '../files/file.js';
import type { Message } from './message.entity.js';
import { type MessageView, toSender } from './message.js';

/** The columns that clients see. A new message has no `deletedAt`. */
export type MessageRow = Omit<Message, 'organizationId' | 'clientMessageId' | 'deletedAt' | 'files'> & {
  files?: StoredFile[] | null;
  deletedAt?: Date | null;
};

/** @param links the addresses of its files */
export function toMessageView(row: MessageRow, links: FileLinks): MessageView {
  const {
    id,
    chatId,
    seq,
    type,
    content,
    senderType,
    senderId,
    senderName,
    senderIsAi,
    replyToMessageId,
    replyToValue,
  } = row;
  const message: MessageView = {
    id,
    chatId,
    seq,
    type,
    content,
    metadata: row.metadata ?? {},
    sender: toSender(senderType, senderId, senderName, senderIsAi),
    createdAt: row.createdAt.toISOString(),
  };
  if (replyToMessageId !== null) message.replyTo = { messageId: replyToMessageId, value: replyToValue ?? '' };
  if (row.files) message.files = row.files.map((file) => links.signed(file));
  if (row.deletedAt) message.deletedAt = row.deletedAt.toISOString();
  return message;
}
