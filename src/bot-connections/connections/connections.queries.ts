import type { EntityManager } from 'typeorm';
import { RETURNS } from '../../receivers/event-type.js';
import { insertReceiver, type NewReceiver, removeReceiver } from '../../receivers/receivers.queries.js';
import { defaultsOf, isEndpoint } from '../model/connection.js';
import type { BotConnection } from '../model/bot-connection.entity.js';

const COLUMNS = `
  organization_id AS "organizationId", bot_id AS "botId", id, kind, url, has_query AS "hasQuery", has_key AS "hasKey",
  header_names AS "headerNames", secrets, settings, is_enabled AS "isEnabled", created_at AS "createdAt",
  last_success_at AS "lastSuccessAt", last_failure_at AS "lastFailureAt", last_failure_code AS "lastFailureCode",
  failures_in_row AS "failuresInRow"`;

export type ConnectionRow = Omit<BotConnection, 'receiver'>;

const FIND = `SELECT ${COLUMNS} FROM bot_connections WHERE organization_id = $1 AND bot_id = $2`;

export async function findConnection(
  manager: EntityManager,
  organizationId: string,
  botId: string,
): Promise<ConnectionRow | null> {
  const [row]: ConnectionRow[] = await manager.query(FIND, [organizationId, botId]);
  return row ? withDefaults(row) : null;
}

/** Finds the connection, and locks it against changes and against other turns that begin. */
export async function lockConnection(
  tx: EntityManager,
  organizationId: string,
  botId: string,
): Promise<ConnectionRow | null> {
  const [row]: ConnectionRow[] = await tx.query(`${FIND} FOR NO KEY UPDATE`, [organizationId, botId]);
  return row ? withDefaults(row) : null;
}

const SHARE = 'SELECT id, kind, url FROM bot_connections WHERE organization_id = $1 AND bot_id = $2 FOR SHARE';

/** Where the connection of a bot leads, locked against changes; null if it was deleted. */
export async function shareConnection(
  tx: EntityManager,
  organizationId: string,
  botId: string,
): Promise<Pick<ConnectionRow, 'id' | 'kind' | 'url'> | null> {
  const [row]: Pick<ConnectionRow, 'id' | 'kind' | 'url'>[] = await tx.query(SHARE, [organizationId, botId]);
  return row ?? null;
}

// A connection that an earlier version stored doesn't have all settings.
function withDefaults(row: ConnectionRow): ConnectionRow {
  return { ...row, settings: { ...defaultsOf(row.kind), ...row.settings } };
}

const INSERT = `
  INSERT INTO bot_connections (organization_id, bot_id, id, kind, url, has_query, has_key, header_names, secrets, settings, is_enabled,
    created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;
// Runs even if nothing changes, because of its lock: a change of the bot comes either before it, or after it and sees the connection.
const IS_AI = 'UPDATE bots SET is_ai = $3 WHERE organization_id = $1 AND id = $2';

export async function insertConnection(tx: EntityManager, row: ConnectionRow): Promise<void> {
  const { organizationId, botId, id, createdAt } = row;
  // The messages of visitors, and the chats that come back.
  const filters: Pick<NewReceiver, 'events' | 'senderTypes'> = {
    events: ['message.created', ...RETURNS],
    senderTypes: ['VISITOR'],
  };
  await insertReceiver(tx, { organizationId, id, kind: 'CONNECTION', botId, ...filters, isEnabled: true, createdAt });
  await tx.query(INSERT, [organizationId, botId, id, ...changing(row), createdAt]);
  await markAi(tx, row);
}

/** Marks the bot as an AI if an endpoint answers for it. A script isn't an AI, unless an administrator says so afterwards. */
export async function markAi(tx: EntityManager, { organizationId, botId, kind }: ConnectionRow): Promise<void> {
  await tx.query(IS_AI, [organizationId, botId, isEndpoint(kind)]);
}

const UPDATE = `
  UPDATE bot_connections SET kind = $3, url = $4, has_query = $5, has_key = $6, header_names = $7, secrets = $8, settings = $9,
    is_enabled = $10
  WHERE organization_id = $1 AND bot_id = $2`;

export async function updateConnection(tx: EntityManager, row: ConnectionRow): Promise<void> {
  await tx.query(UPDATE, [row.organizationId, row.botId, ...changing(row)]);
}

function changing(row: ConnectionRow): unknown[] {
  const { kind, url, hasQuery, hasKey, headerNames, secrets, settings, isEnabled } = row;
  return [kind, url, hasQuery, hasKey, headerNames, secrets, JSON.stringify(settings), isEnabled];
}

// Unfinished turns then end as if the connection had been paused. This keeps its failure settings for them.
const KEEP_FAILURE = `
  UPDATE bot_turns SET failure = $3 WHERE organization_id = $1 AND bot_id = $2 AND status IN ('WAITING', 'RUNNING')`;
const REMOVE_TRANSCRIPTS = 'DELETE FROM bot_transcripts WHERE organization_id = $1 AND connection_id = $2';

/** Removes a connection, with its secrets and transcripts. */
export async function removeConnection(tx: EntityManager, row: ConnectionRow): Promise<void> {
  const { organizationId, botId, id, settings } = row;
  await tx.query(KEEP_FAILURE, [organizationId, botId, JSON.stringify(settings.failure ?? {})]);
  await removeReceiver(tx, organizationId, id);
  await tx.query(REMOVE_TRANSCRIPTS, [organizationId, id]);
}

/** Removes what the endpoint said, because another endpoint must not get it. */
export async function removeTranscripts(tx: EntityManager, { organizationId, id }: ConnectionRow): Promise<void> {
  await tx.query(REMOVE_TRANSCRIPTS, [organizationId, id]);
}

const SHARE_GROUPS = 'SELECT id FROM groups WHERE organization_id = $1 AND id = ANY ($2::text[])';

/** Which of these groups exist. */
export async function findExistingGroups(
  tx: EntityManager,
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows: { id: string }[] = await tx.query(SHARE_GROUPS, [organizationId, ids]);
  return new Set(rows.map(({ id }) => id));
}
