import type { Pool } from 'pg';
import type { AskedAttribute } from './attribute-filters.js';

/** The chats of a value with at most this many are read before anything else. */
const RARE = 2_000;

/** What's known of a filter by a key of the organization. */
export interface FoundValue {
  /** The filter's place in the list, from 1. */
  place: number;
  isReady: boolean;
  hash: Buffer;
  isRare: boolean;
  /** How many chats have the value, counted up to 2,001. */
  number: number;
}

const FIND = `
  SELECT w.place::integer AS place, k.ready_at IS NOT NULL AS "isReady", h.hash, (
    SELECT count(*)::integer FROM (
      SELECT FROM (
        SELECT v.subject_id FROM attribute_values v
        WHERE v.organization_id = $1 AND v.key = w.key AND v.value_hash = h.hash AND (v.is_verified OR NOT w.is_verified)
        LIMIT ${RARE + 1}
      ) s LEFT JOIN LATERAL (
        SELECT c.id FROM chats c WHERE c.organization_id = $1 AND c.visitor_id = s.subject_id LIMIT ${RARE + 1}
      ) o ON true
      LIMIT ${RARE + 1}
    ) counted
  ) AS number
  FROM attribute_keys k
  JOIN unnest($2::text[], $3::text[], $4::boolean[]) WITH ORDINALITY AS w (key, value, is_verified, place) ON w.key = k.key
  CROSS JOIN LATERAL (SELECT COALESCE(attribute_hash(w.value::json), ''::bytea) AS hash) h
  WHERE k.organization_id = $1 AND k.removed_at IS NULL
  ORDER BY number, w.place`;

/** The filters with a key of the organization, the rarest first. */
export async function findValues(
  pool: Pool,
  organizationId: string,
  asked: readonly AskedAttribute[],
): Promise<FoundValue[]> {
  const keys = asked.map(({ key }) => key);
  const texts = asked.map(({ value }) => (value === null ? null : JSON.stringify(value)));
  const values = [organizationId, keys, texts, asked.map(({ isVerified }) => isVerified)];
  const { rows } = await pool.query<Omit<FoundValue, 'isRare'>>({ name: 'attribute-filter', text: FIND, values });
  return rows.map((row) => ({ ...row, isRare: row.number <= RARE }));
}
