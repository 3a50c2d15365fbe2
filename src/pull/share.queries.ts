import type { Pool } from 'pg';
import {
  FINISH,
  MAX_BYTES,
  MAX_PENDING,
  type PollingBot,
  REPORTED_GAP,
  type Taken,
  type TakenRow,
  type TakeOptions,
  TOLD_GAP,
  toTaken,
  WAITS,
} from './take.queries.js';

/** The most copies of a bot at a time. */
export const MAX_COPIES = 64;
/** The most responses of a copy that are kept until they're acknowledged. */
const MAX_ANSWERS = 100;

// Like `takeStatement`, for one of several copies of a bot ($9). A copy gets no events of a chat while another copy, whose lease
// hasn't ended, has unacknowledged events of it. So the events of a chat are handled one after the other, by any copies.
// Nothing waits for a lock: if another poll of the bot has taken events since the statement began, the generation differs, nothing
// happens, and the caller tries again. So the chats that it read as free are free.
// Another copy may acknowledge what this one was sent, and deliveries may be dropped. So if fewer events wait than the poll takes, a
// chat of this copy without any is released too.
// `held` are the chats of this copy, and of others with a lease, with the events of each that this poll leaves unacknowledged.
const SHARE = `
  WITH subscription AS MATERIALIZED (
    SELECT s.id, s.generation, s.gap_since, s.gap_dropped, commit.durability,
      acked.generation AS acked, COALESCE(acked.positions, '{}') AS done,
      ${TOLD_GAP}
    FROM subscriptions s CROSS JOIN (SELECT set_config('synchronous_commit', 'off', true) AS durability) AS commit
    LEFT JOIN subscription_copies c ON c.organization_id = $1 AND c.subscription_id = s.id AND c.copy = $9
    LEFT JOIN LATERAL (
      SELECT e.generation, e.positions FROM shared_answers e
      WHERE e.organization_id = $1 AND e.subscription_id = s.id AND e.ack = $4 LIMIT 1) acked ON true
    WHERE s.organization_id = $1 AND s.bot_id = $2 AND NOT s.is_resting AND ($7::bigint IS NULL OR c.generation = $7)
      AND (c.leased_until > clock_timestamp() OR ${MAX_COPIES} > (
        SELECT count(*) FROM subscription_copies o
        WHERE o.organization_id = $1 AND o.subscription_id = s.id AND o.leased_until > clock_timestamp()))
      AND EXISTS (SELECT FROM access_tokens t WHERE t.organization_id = $1 AND t.bot_id = $2 AND t.id = $3
        AND (t.expires_at IS NULL OR t.expires_at > clock_timestamp()))
  ), held AS MATERIALIZED (
    SELECT h.chat_id, h.copy = $9 AS is_own, h.positions,
      ARRAY(SELECT unnest(h.positions) EXCEPT SELECT unnest(s.done)) AS open
    FROM subscription s JOIN shared_chats h ON h.organization_id = $1 AND h.subscription_id = s.id
    JOIN subscription_copies c ON c.organization_id = $1 AND c.subscription_id = s.id AND c.copy = h.copy
    WHERE h.copy = $9 OR c.leased_until > clock_timestamp()
  ), waiting AS MATERIALIZED (
    SELECT d.position, d.chat_id, d.id, d.payload, d.traceparent, octet_length(d.payload) AS size
    FROM subscription s CROSS JOIN LATERAL (
      SELECT d.position, d.chat_id, d.id, d.payload, d.traceparent FROM deliveries d
      WHERE d.organization_id = $1 AND d.webhook_id = s.id AND ${WAITS} AND d.position <> ALL (s.done)
        AND NOT EXISTS (SELECT FROM held h WHERE h.chat_id = d.chat_id AND NOT h.is_own)
      ORDER BY d.position LIMIT $6) d
  ), taken AS MATERIALIZED (
    SELECT position, chat_id, id, payload, traceparent FROM (
      SELECT w.position, w.chat_id, w.id, w.payload, w.traceparent, w.size, sum(w.size) OVER (ORDER BY w.position) AS total FROM waiting w
    ) w WHERE total <= ${MAX_BYTES} OR total = size
  ), rest AS MATERIALIZED (
    SELECT count(*)::integer AS pending FROM subscription s CROSS JOIN LATERAL (
      SELECT FROM deliveries d
      WHERE d.organization_id = $1 AND d.webhook_id = s.id AND ${WAITS} AND d.position <> ALL (s.done)
        AND d.position > (SELECT max(t.position) FROM taken t)
        AND NOT EXISTS (SELECT FROM held h WHERE h.chat_id = d.chat_id AND NOT h.is_own)
      ORDER BY d.position LIMIT ${MAX_PENDING}) d
  ), answered AS (
    UPDATE subscriptions s SET generation = s.generation + 1, ack = NULL, answered = '{}', last_polled_at = now(),
      ${REPORTED_GAP}
    FROM subscription o
    WHERE s.organization_id = $1 AND s.bot_id = $2 AND s.id = o.id AND s.generation = o.generation AND NOT s.is_resting
      AND ($8 OR o.gap_since IS NOT NULL OR EXISTS (SELECT FROM taken))
    RETURNING s.id, s.generation, s.told_gap_since, s.told_gap_dropped, o.done, o.gap_since IS NOT NULL AS has_new_gap, o.acked
  ), leased AS (
    INSERT INTO subscription_copies (organization_id, subscription_id, copy, generation, leased_until)
    SELECT $1, a.id, $9, a.generation, clock_timestamp() + make_interval(secs => $10) FROM answered a
    ON CONFLICT (organization_id, subscription_id, copy) DO UPDATE
      SET generation = excluded.generation, leased_until = excluded.leased_until
  ), claimed AS (
    INSERT INTO shared_chats (organization_id, subscription_id, chat_id, copy, positions)
    SELECT $1, a.id, t.chat_id, $9, ARRAY(SELECT unnest(t.positions) UNION SELECT unnest(h.open))
    FROM answered a CROSS JOIN (SELECT chat_id, array_agg(position) AS positions FROM taken GROUP BY chat_id) t
    LEFT JOIN held h ON h.chat_id = t.chat_id
    ON CONFLICT (organization_id, subscription_id, chat_id) DO UPDATE SET copy = excluded.copy, positions = excluded.positions
  ), released AS (
    DELETE FROM shared_chats c USING answered a, held h
    WHERE c.organization_id = $1 AND c.subscription_id = a.id AND c.chat_id = h.chat_id AND h.is_own
      AND c.chat_id NOT IN (SELECT chat_id FROM taken)
      AND (h.open = '{}' OR ((SELECT count(*) FROM waiting) < $6 AND c.chat_id NOT IN (SELECT chat_id FROM waiting)))
  ), shortened AS (
    UPDATE shared_chats c SET positions = h.open FROM answered a, held h
    WHERE c.organization_id = $1 AND c.subscription_id = a.id AND c.chat_id = h.chat_id AND h.is_own AND h.open <> '{}'
      AND cardinality(h.open) < cardinality(h.positions) AND c.chat_id NOT IN (SELECT chat_id FROM taken)
      AND ((SELECT count(*) FROM waiting) >= $6 OR c.chat_id IN (SELECT chat_id FROM waiting))
  ), kept AS (
    INSERT INTO shared_answers (organization_id, subscription_id, copy, generation, ack, positions)
    SELECT $1, a.id, $9, a.generation, $5, ARRAY(SELECT t.position FROM taken t) FROM answered a
    WHERE EXISTS (SELECT FROM taken) OR a.told_gap_since IS NOT NULL
  ), forgotten AS (
    DELETE FROM shared_answers e USING answered a
    WHERE e.organization_id = $1 AND e.subscription_id = a.id AND e.copy = $9 AND (e.generation = a.acked OR e.generation <= (
      SELECT o.generation FROM subscription s JOIN shared_answers o
        ON o.organization_id = $1 AND o.subscription_id = s.id AND o.copy = $9
      ORDER BY o.generation DESC OFFSET ${MAX_ANSWERS - 1} LIMIT 1))
  ), gone AS (
    DELETE FROM subscription_copies c USING answered a
    WHERE c.organization_id = $1 AND c.subscription_id = a.id AND c.copy <> $9 AND c.leased_until < now() - interval '10 minutes'
  ${FINISH}`;

/**
 * `takeEvents` for one of several copies of a bot. Also returns null if the bot has the most copies that it may have.
 * @param lease seconds until other copies may take its chats
 */
export async function takeShare(
  pool: Pool,
  { organizationId, botId, tokenId }: PollingBot,
  { limit, presented, ack, generation, mayBeEmpty, copy, lease }: TakeOptions & { copy: string; lease: number },
): Promise<Taken | null> {
  const asked = [organizationId, botId, tokenId, presented, ack, limit, generation, mayBeEmpty];
  const values = [...asked, copy, lease];
  return toTaken((await pool.query<TakenRow>({ name: 'take-share', text: SHARE, values })).rows);
}
