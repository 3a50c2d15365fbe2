import type { Pool } from 'pg';
import { jsonOf } from '../../platform/lib/json.js';

/** What a bot keeps about a chat. */
export interface StoredState {
  state: Record<string, unknown>;
  /** 0: it has kept nothing yet. */
  version: number;
}

const FIND = `
  SELECT COALESCE(s.state, '{}') AS state, COALESCE(s.version, 0) AS version
  FROM chats c LEFT JOIN bot_states s ON s.organization_id = c.organization_id AND s.chat_id = c.id AND s.bot_id = $3
  WHERE c.organization_id = $1 AND c.id = $2 AND c.erased_at IS NULL`;

/** Null for an unknown chat, and for one whose visitor was erased. */
export async function findBotState(
  pool: Pool,
  organizationId: string,
  chatId: string,
  botId: string,
): Promise<StoredState | null> {
  const { rows } = await pool.query<StoredState>({
    name: 'find-bot-state',
    text: FIND,
    values: [organizationId, chatId, botId],
  });
  return rows[0] ?? null;
}

// The lock makes erasing, which removes the states of a chat, wait for the statement or the statement for erasing.
const store = (version: string, which: string, isSame: string) => `
  WITH chat AS MATERIALIZED (
    SELECT organization_id, id FROM chats WHERE organization_id = $1 AND id = $2 AND erased_at IS NULL FOR SHARE
  )
  INSERT INTO bot_states AS s (organization_id, chat_id, bot_id, state, version, updated_at)
  SELECT organization_id, id, $3, $4::json, ${version}, $5 FROM chat ${which}
  ON CONFLICT (organization_id, chat_id, bot_id) DO UPDATE
    SET state = excluded.state, version = s.version + 1, updated_at = excluded.updated_at ${isSame}
  RETURNING version`;
const STORE = store('1', '', '');
// A Citus cluster passes no parameters to ON CONFLICT, so the row has the next version.
const STORE_NEXT = store(
  'least($6::integer, 2147483646) + 1',
  `WHERE $6 = 0 OR EXISTS (SELECT FROM bot_states WHERE organization_id = $1 AND chat_id = $2 AND bot_id = $3)`,
  'WHERE s.version + 1 = excluded.version',
);

/** Replaces the state, if it has this `version`. Returns the new version; null for another version or an unknown chat. */
export async function storeBotState(
  pool: Pool,
  organizationId: string,
  chatId: string,
  botId: string,
  state: Record<string, unknown>,
  version: number | null,
): Promise<number | null> {
  const values = [organizationId, chatId, botId, jsonOf(state), new Date()];
  const query =
    version === null
      ? { name: 'store-bot-state', text: STORE, values }
      : { name: 'store-next-bot-state', text: STORE_NEXT, values: [...values, version] };
  const { rows } = await pool.query<{ version: number }>(query);
  return rows[0]?.version ?? null;
}
