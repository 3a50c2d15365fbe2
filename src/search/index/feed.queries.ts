import type { Pool } from 'pg';
import { sqlIsOfExisting } from '../../organizations/organization-deletion.queries.js';
import { queryEverywhere } from '../../platform/database/citus/per-organization.js';

/** The name of the index among the readers of changes. */
export const READER = 'search';
/** Seconds that a node's lease lasts after each page. After this time, other nodes can take the organizations of a killed node. */
const LEASE_SECONDS = 8;
/** The most rows of a query for organizations that have something to index. */
const MAX_FOUND = 500;

/** The reader that lists all chats for a rebuild, while `READER` follows the changes. Its row is deleted when all chats are listed. */
export const REBUILDER = 'search-rebuild';

/** An organization with changes that the index doesn't have, or with a rebuild. */
export interface Behind {
  id: string;
  isBehind: boolean;
  isRebuilding: boolean;
}

/** The organizations with changes or a rebuild that the index hasn't read yet. */
export async function findBehind(pool: Pool): Promise<Behind[]> {
  const rows = await queryEverywhere<{ id: string; name: string }>(pool, {
    name: 'search-behind',
    text: (isOf) => `
      SELECT r.organization_id AS id, r.name FROM change_readers r
      WHERE r.name IN ('${READER}', '${REBUILDER}') AND ${isOf('r')} AND ${sqlIsOfExisting('r')}
        AND (r.name = '${REBUILDER}' OR EXISTS (
          SELECT FROM chat_changes c
          WHERE c.organization_id = r.organization_id AND (c.epoch, c.subject_id) > (r.epoch, r.subject_id)))
      ORDER BY r.name LIMIT ${MAX_FOUND}`,
    values: [],
  });
  const namesOf = (id: string) => rows.filter((row) => row.id === id).map(({ name }) => name);
  return Array.from(new Set(rows.map(({ id }) => id)), (id) => ({
    id,
    isBehind: namesOf(id).includes(READER),
    isRebuilding: namesOf(id).includes(REBUILDER),
  }));
}

const FIND_NEW = `
  SELECT o.id FROM organizations o
  WHERE o.deleted_at IS NULL AND o.id NOT IN (SELECT r.organization_id FROM change_readers r WHERE r.name = '${READER}')
  LIMIT ${MAX_FOUND}`;

/** The organizations without an index. */
export async function findNew(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({ name: 'search-new', text: FIND_NEW, values: [] });
  return rows.map(({ id }) => id);
}

const LEASE = `
  INSERT INTO search_leases AS l (organization_id, node_id, leased_until)
  VALUES ($1, $2, statement_timestamp() + interval '${LEASE_SECONDS} seconds')
  ON CONFLICT (organization_id) DO UPDATE SET node_id = excluded.node_id, leased_until = excluded.leased_until
  WHERE l.node_id = excluded.node_id OR excluded.leased_until - l.leased_until >= interval '${LEASE_SECONDS} seconds'`;

/** Takes or renews the lease of an organization, by the database's clock. False while another node has it. */
export async function lease(pool: Pool, organizationId: string, nodeId: string): Promise<boolean> {
  const { rowCount } = await pool.query({ name: 'search-lease', text: LEASE, values: [organizationId, nodeId] });
  return rowCount === 1;
}

const RELEASE = 'DELETE FROM search_leases WHERE organization_id = $1 AND node_id = $2';

export async function release(pool: Pool, organizationId: string, nodeId: string): Promise<void> {
  await pool.query({ name: 'search-release', text: RELEASE, values: [organizationId, nodeId] });
}

const BEGIN_REBUILD = `
  INSERT INTO change_readers (organization_id, name, epoch, subject_id, chat_id) VALUES ($1, '${REBUILDER}', 0, '', '')
  ON CONFLICT (organization_id, name) DO UPDATE SET epoch = 0, subject_id = '', chat_id = ''`;

/** Begins a rebuild, or restarts the current one. It hides nothing from searches. */
export async function beginRebuild(pool: Pool, organizationId: string): Promise<void> {
  await pool.query(BEGIN_REBUILD, [organizationId]);
}

const BEGIN = `
  INSERT INTO change_readers (organization_id, name, epoch, subject_id, chat_id) VALUES ($1, '${READER}', 0, '', NULL)
  ON CONFLICT DO NOTHING`;

/** Begins to follow the changes of an organization. The rebuild begins first, so that it lists the chats whose changes weren't recorded. */
export async function beginIndex(pool: Pool, organizationId: string): Promise<void> {
  await beginRebuild(pool, organizationId);
  await pool.query(BEGIN, [organizationId]);
}

const END_REBUILD = `
  DELETE FROM change_readers WHERE organization_id = $1 AND name = '${REBUILDER}' AND chat_id IS NULL`;

/** Ends a rebuild that has listed all chats. */
export async function endRebuild(pool: Pool, organizationId: string): Promise<void> {
  await pool.query(END_REBUILD, [organizationId]);
}

const IS_REBUILDING = `SELECT r.name FROM change_readers r WHERE r.organization_id = $1 AND r.name = '${REBUILDER}'`;

export async function isRebuilding(pool: Pool, organizationId: string): Promise<boolean> {
  return (await pool.query(IS_REBUILDING, [organizationId])).rows.length > 0;
}
