import { jsonObject, jsonText, jsonTime } from '../platform/database/sql-json.js';

/**
 * A message's JSON in SQL, with the same members as toMessageView. Values in quotes here need no escaping.
 * @param m the expression of each member; omit `deletedAt` for a message that is being stored
 */
const jsonMessage = (m: Record<string, string>) =>
  jsonObject(
    {
      id: `'"' || ${m.id} || '"'`,
      chatId: `'"' || ${m.chatId} || '"'`,
      seq: m.seq!,
      type: `'"' || ${m.type} || '"'`,
      content: jsonText(m.content!),
      metadata: `COALESCE(${m.metadata}, '{}')`,
      sender: jsonObject({
        type: `'"' || ${m.senderType} || '"'`,
        id: jsonText(m.senderId!),
        name: jsonText(m.senderName!),
      }),
      createdAt: jsonTime(m.createdAt!),
    },
    [
      `CASE WHEN ${m.replyToMessageId} IS NULL THEN '' ELSE ',"replyTo":' || ${jsonObject({
        messageId: jsonText(m.replyToMessageId!),
        value: jsonText(m.replyToValue!),
      })} END`,
      ...(m.files === undefined
        ? []
        : [`CASE WHEN ${m.files} IS NULL THEN '' ELSE ',"files":' || ${m.files}::text END`]),
      ...(m.deletedAt === undefined
        ? []
        : [`CASE WHEN ${m.deletedAt} IS NULL THEN '' ELSE ',"deletedAt":' || ${jsonTime(m.deletedAt)} END`]),
    ].join(' || '),
  );

/** The same, for a row of `messages` called `m`. */
export const JSON_OF_MESSAGE_ROW = jsonMessage({
  id: 'm.id',
  chatId: 'm.chat_id',
  seq: 'm.seq',
  type: 'm.type',
  content: 'm.content',
  metadata: 'm.metadata::text',
  senderType: 'm.sender_type',
  senderId: 'm.sender_id',
  senderName: 'm.sender_name',
  createdAt: 'm.created_at',
  replyToMessageId: 'm.reply_to_message_id',
  replyToValue: 'm.reply_to_value',
  files: 'm.files',
  deletedAt: 'm.deleted_at',
});
