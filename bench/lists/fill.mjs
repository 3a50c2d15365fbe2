import pg from 'pg';
import { CONTENT } from '../load/load.mjs';

/** The most rows that one statement writes. */
const CHUNK = 500_000;

// Ids as long as real ones, in random order.
const ADD_CHATS = `
  WITH places AS (
    SELECT organization_id, id AS group_id, row_number() OVER () - 1 AS place, count(*) OVER () AS places
    FROM groups WHERE is_default
  ), added AS (
    SELECT organization_id, group_id, left(md5(number::text), 26) AS suffix
    FROM generate_series(1, $1::integer) AS number JOIN places ON place = number % places
  ), visitor AS (
    INSERT INTO visitors (organization_id, id, created_at) SELECT organization_id, 'vis_' || suffix, now() FROM added
  )
  INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, created_at)
  SELECT organization_id, 'cht_' || suffix, 'vis_' || suffix, group_id, 'ACTIVE', now(), now() FROM added`;

const ADD_MESSAGES = `
  INSERT INTO messages (organization_id, chat_id, seq, id, type, content, sender_type, sender_id, created_at)
  SELECT c.organization_id, c.id, seq, 'msg_' || left(md5(c.id || seq), 26), 'TEXT', $1, 'VISITOR', c.visitor_id, now()
  FROM (SELECT * FROM chats ORDER BY organization_id, id OFFSET $2 LIMIT $3) AS c
    CROSS JOIN generate_series(1, $4::integer) AS seq
  ORDER BY c.organization_id, c.id, seq`;

const COUNT_MESSAGES = 'UPDATE chats SET message_count = $1, last_message_at = now(), first_response_at = now()';

/** Fills a database up to this many chats and messages, and leaves it as if it had grown over time. */
export async function fill(databaseUrl, { chats, messages }) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // Foreign keys hold by construction; checking five million of them takes minutes.
    await client.query('SET session_replication_role = replica');
    const { rows } = await client.query('SELECT count(*)::integer AS count FROM chats');
    await client.query(ADD_CHATS, [chats - rows[0].count]);
    const each = messages / chats;
    const chunk = Math.floor(CHUNK / each);
    for (let done = 0; done < chats; done += chunk) await client.query(ADD_MESSAGES, [CONTENT, done, chunk, each]);
    await client.query(COUNT_MESSAGES, [each]);
    for (const rest of ['VACUUM FULL chats', 'VACUUM ANALYZE', 'CHECKPOINT']) await client.query(rest);
  } finally {
    await client.end();
  }
}
