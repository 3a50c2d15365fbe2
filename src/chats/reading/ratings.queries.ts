import type { EntityManager } from 'typeorm';
import { jsonObject, jsonText, jsonTime } from '../../platform/database/sql-json.js';

/** A rating as clients see it. */
export interface Rating {
  /** 1 to 5; 5 is the best. */
  score: number;
  comment: string | null;
  /** When it was first given. */
  ratedAt: string;
  /** When it was last changed; null if never. */
  changedAt: string | null;
}

const JSON_OF_RATING = jsonObject({
  score: 'r.score',
  comment: jsonText('r.comment'),
  ratedAt: jsonTime('r.rated_at'),
  changedAt: jsonTime('r.changed_at'),
});

const ofChat = (columns: string) =>
  `(SELECT ${columns} FROM ratings r WHERE r.organization_id = $1 AND r.chat_id = c.id)`;

/** A column with the Rating of the chat `c`, or null. */
export const RATING_COLUMN = `${ofChat(`(${JSON_OF_RATING})::json`)} AS rating`;
/** A column with the score of the chat `c`, or null. */
export const SCORE_COLUMN = `${ofChat('r.score')} AS score`;

const FIND = `
  SELECT c.status_changed_at AS "endedAt", ${RATING_COLUMN}, COALESCE(${ofChat('r.change_count')}, 0) AS "changeCount"
  FROM chats c WHERE c.organization_id = $1 AND c.id = $2`;

interface RatedChat {
  endedAt: Date;
  rating: Rating | null;
  changeCount: number;
}

/** The end time and the rating of a chat, which is locked and has ended. */
export async function findRating(tx: EntityManager, organizationId: string, chatId: string): Promise<RatedChat> {
  const [row]: RatedChat[] = await tx.query(FIND, [organizationId, chatId]);
  return row!;
}

const STORE = `
  WITH stored AS (
    INSERT INTO ratings AS r (organization_id, chat_id, score, comment, rated_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (organization_id, chat_id) DO UPDATE
      SET score = excluded.score, comment = excluded.comment, changed_at = excluded.rated_at,
        change_count = r.change_count + 1
    RETURNING *
  )
  SELECT (${JSON_OF_RATING})::json AS rating FROM stored r`;

/** Stores or changes a rating. */
export async function storeRating(
  tx: EntityManager,
  organizationId: string,
  chatId: string,
  { score, comment }: Pick<Rating, 'score' | 'comment'>,
  at: Date,
): Promise<Rating> {
  const [row]: { rating: Rating }[] = await tx.query(STORE, [organizationId, chatId, score, comment, at]);
  return row!.rating;
}
