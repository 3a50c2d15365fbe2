import { jsonSender } from '../chats/reading/chat-json.queries.js';
import { jsonId, jsonObject, jsonText, jsonTime } from '../platform/database/sql-json.js';

/** The JSON of a row of `messages` called `m`, with the same members as toMessageView. */
export const JSON_OF_MESSAGE_ROW = jsonObject(
  {
    id: jsonId('m.id'),
    chatId: jsonId('m.chat_id'),
    seq: 'm.seq',
    type: jsonId('m.type'),
    content: jsonText('m.content'),
    metadata: `COALESCE(m.metadata::text, '{}')`,
    sender: jsonSender('m'),
    createdAt: jsonTime('m.created_at'),
  },
  [
    `CASE WHEN m.reply_to_message_id IS NULL THEN '' ELSE ',"replyTo":' || ${jsonObject({
      messageId: jsonText('m.reply_to_message_id'),
      value: jsonText('m.reply_to_value'),
    })} END`,
    `CASE WHEN m.files IS NULL THEN '' ELSE ',"files":' || m.files::text END`,
    `CASE WHEN m.deleted_at IS NULL THEN '' ELSE ',"deletedAt":' || ${jsonTime('m.deleted_at')} END`,
  ].join(' || '),
);
