import type { Pool } from 'pg';
import { sqlIsOfExisting } from '../../organizations/organization-deletion.queries.js';
import { queryEverywhere } from '../../platform/database/citus/per-organization.js';

/** The name of the index among the readers of changes. */
export const READER = 'search';
/** How long a node keeps an organization after its last page, in seconds. A killed node's organizations are free after this time. */
const LEASE_SECONDS = 8;
/** The most organizations of a run. */
const MAX_FOUND = 500;

/** The organizations with changes that the index doesn't have. */
export async function findBehind(pool: Pool): Promise<string[]> {
  const rows = await queryEverywhere<{ id: string }>(pool, {
    name: 'search-behind',
    text: (isOf) => `
      SELECT r.organization_id AS id FROM change_readers r
      WHERE r.name = '${READER}' AND ${isOf('r')} AND ${sqlIsOfExisting('r')} AND (r.chat_id IS NOT NULL OR EXISTS (
        SELECT FROM chat_changes c
        WHERE c.organization_id = r.organization_id AND (c.epoch, c.subject_id) > (r.epoch, r.subject_id)))
      LIMIT ${MAX_FOUND}`,
    values: [],
  });
  return rows.map(({ id }) => id);
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
  WHERE l.node_id = excluded.node_id OR l.leased_until <= statement_timestamp()`;

/** Takes an organization, or keeps it for longer; false while another node has it. By the database's clock. */
export async function lease(pool: Pool, organizationId: string, nodeId: string): Promise<boolean> {
  const { rowCount } = await pool.query({ name: 'search-lease', text: LEASE, values: [organizationId, nodeId] });
  return rowCount === 1;
}

const RELEASE = 'DELETE FROM search_leases WHERE organization_id = $1 AND node_id = $2';

export async function release(pool: Pool, organizationId: string, nodeId: string): Promise<void> {
  await pool.query({ name: 'search-release', text: RELEASE, values: [organizationId, nodeId] });
}
