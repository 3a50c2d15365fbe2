import type { EntityManager } from 'typeorm';
import { jsonObject, jsonText, jsonTime } from '../../platform/database/sql-json.js';
import { jsonSender } from './chat-json.queries.js';
import type { MessageRatingValue } from '../model/message-rating-row.entity.js';

/** The newest messages of a chat that can be rated. It limits the cost of finding one. */
const MAX_RATEABLE = 1_000;
/** The most ratings in one list: the newest. */
const MAX_LISTED = 200;

/** A rating of a bot's message as clients see it. */
export interface MessageRating {
  messageId: string;
  seq: number;
  rating: MessageRatingValue;
  comment: string | null;
  /** When it was first given. */
  ratedAt: string;
  /** When it was last changed; null if never. */
  changedAt: string | null;
}

const JSON_OF_RATING = jsonObject({
  messageId: jsonText('r.message_id'),
  seq: 'r.seq',
  rating: jsonText('r.rating'),
  comment: jsonText('r.comment'),
  ratedAt: jsonTime('r.rated_at'),
  changedAt: jsonTime('r.changed_at'),
});

/** A column with the newest ratings of messages in the chat `c`, in the order of `seq`. */
export const MESSAGE_RATINGS_COLUMN = `(
  SELECT COALESCE('[' || string_agg(${JSON_OF_RATING}, ',' ORDER BY r.seq) || ']', '[]')::json FROM (
    SELECT * FROM message_ratings r WHERE r.organization_id = $1 AND r.chat_id = c.id
    ORDER BY r.seq DESC LIMIT ${MAX_LISTED}
  ) r) AS "messageRatings"`;

const LIST = `
  SELECT ${MESSAGE_RATINGS_COLUMN} FROM chats c WHERE c.organization_id = $1 AND c.id = $2`;

/** The newest ratings of messages in a chat. */
export async function listMessageRatings(
  manager: EntityManager,
  organizationId: string,
  chatId: string,
): Promise<MessageRating[]> {
  const [row]: { messageRatings: MessageRating[] }[] = await manager.query(LIST, [organizationId, chatId]);
  return row?.messageRatings ?? [];
}

const LIST_RANGE = `
  SELECT (${JSON_OF_RATING})::json AS rating FROM message_ratings r
  WHERE r.organization_id = $1 AND r.chat_id = $2 AND r.seq BETWEEN $3 AND $4`;

/** The ratings of the messages from one `seq` to another. */
export async function listRatingsOfRange(
  manager: EntityManager,
  organizationId: string,
  chatId: string,
  firstSeq: number,
  lastSeq: number,
): Promise<MessageRating[]> {
  const values = [organizationId, chatId, firstSeq, lastSeq];
  const rows: { rating: MessageRating }[] = await manager.query(LIST_RANGE, values);
  return rows.map(({ rating }) => rating);
}

/** A message that a visitor rates. */
export interface RatedMessage {
  seq: number;
  sender: { type: string; id: string | null; name: string | null; isAi?: boolean };
  isDeleted: boolean;
  /** The rating that it has. */
  rating: MessageRating | null;
  changeCount: number;
}

// No index has the messages' ids, so only the newest ones are read.
const FIND = `
  SELECT m.seq, (${jsonSender('m')})::json AS sender,
    m.deleted_at IS NOT NULL AS "isDeleted",
    (SELECT (${JSON_OF_RATING})::json FROM message_ratings r
      WHERE r.organization_id = $1 AND r.chat_id = m.chat_id AND r.seq = m.seq) AS rating,
    COALESCE((SELECT r.change_count FROM message_ratings r
      WHERE r.organization_id = $1 AND r.chat_id = m.chat_id AND r.seq = m.seq), 0) AS "changeCount"
  FROM chats c JOIN messages m ON m.organization_id = c.organization_id AND m.chat_id = c.id
  WHERE c.organization_id = $1 AND c.id = $2 AND m.organization_id = $1 AND m.chat_id = $2 AND m.id = $3
    AND m.seq > c.message_count - ${MAX_RATEABLE}`;

/** A message among the newest ones of a chat; null if it isn't one of them. */
export async function findRatedMessage(
  tx: EntityManager,
  organizationId: string,
  chatId: string,
  messageId: string,
): Promise<RatedMessage | null> {
  const [row]: RatedMessage[] = await tx.query(FIND, [organizationId, chatId, messageId]);
  return row ?? null;
}

const STORE = `
  WITH stored AS (
    INSERT INTO message_ratings AS r (organization_id, chat_id, seq, message_id, bot_id, rating, comment, rated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (organization_id, chat_id, seq) DO UPDATE
      SET rating = excluded.rating, comment = excluded.comment, changed_at = excluded.rated_at,
        change_count = r.change_count + 1
    RETURNING *
  )
  SELECT (${JSON_OF_RATING})::json AS rating FROM stored r`;

/** Stores or changes the rating of a message. */
export async function storeMessageRating(
  tx: EntityManager,
  organizationId: string,
  chatId: string,
  messageId: string,
  { seq, sender }: RatedMessage,
  { rating, comment }: Pick<MessageRating, 'rating' | 'comment'>,
  at: Date,
): Promise<MessageRating> {
  const values = [organizationId, chatId, seq, messageId, sender.id, rating, comment, at];
  const [row]: { rating: MessageRating }[] = await tx.query(STORE, values);
  return row!.rating;
}
