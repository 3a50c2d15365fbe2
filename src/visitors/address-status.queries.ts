import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { foldText } from '../platform/locale/fold.js';

/** The status of an address for an organization's mails (CONTRACT: E-mail). */
export const ADDRESS_STATUSES = ['ACTIVE', 'BOUNCED', 'UNSUBSCRIBED'] as const;
export type AddressStatus = (typeof ADDRESS_STATUSES)[number];

const hashOf = (organizationId: string, address: string) =>
  createHash('sha256')
    .update(`${organizationId}\n${foldText(address.trim())}`)
    .digest('hex');

const FIND = 'SELECT status FROM mail_addresses WHERE organization_id = $1 AND address_hash = $2';

export async function findAddressStatus(
  manager: EntityManager,
  organizationId: string,
  address: string,
): Promise<AddressStatus> {
  const values = [organizationId, hashOf(organizationId, address)];
  const rows: { status: AddressStatus }[] = await manager.query(FIND, values);
  return rows[0]?.status ?? 'ACTIVE';
}

const FIND_ALL = `
  SELECT a.address_hash AS hash, a.status FROM mail_addresses a WHERE a.organization_id = $1 AND a.address_hash = ANY ($2)`;

/** The status of each address; null for none. */
export async function findAddressStatuses(
  pool: Pool,
  organizationId: string,
  addresses: readonly (string | null)[],
): Promise<(AddressStatus | null)[]> {
  const hashes = addresses.map((address) => (address === null ? null : hashOf(organizationId, address)));
  const given = hashes.filter((hash) => hash !== null);
  if (given.length === 0) return addresses.map(() => null);
  const query = { name: 'find-address-statuses', text: FIND_ALL, values: [organizationId, given] };
  const { rows } = await pool.query<{ hash: string; status: AddressStatus }>(query);
  const marked = new Map(rows.map(({ hash, status }) => [hash, status]));
  return hashes.map((hash) => (hash === null ? null : (marked.get(hash) ?? 'ACTIVE')));
}

// An address that unsubscribed stays so when a mail bounces.
const MARK = `
  INSERT INTO mail_addresses AS a (organization_id, address_hash, status, since) VALUES ($1, $2, $3, $4)
  ON CONFLICT (organization_id, address_hash) DO UPDATE SET status = excluded.status, since = excluded.since
  WHERE a.status <> 'UNSUBSCRIBED' AND a.status <> excluded.status
  RETURNING status`;

/** Marks an address. Returns false if it's marked already. */
export async function markAddress(
  tx: EntityManager,
  organizationId: string,
  address: string,
  status: 'BOUNCED' | 'UNSUBSCRIBED',
  now: Date,
): Promise<boolean> {
  const rows: unknown[] = await tx.query(MARK, [organizationId, hashOf(organizationId, address), status, now]);
  return rows.length > 0;
}

const CLEAR = `DELETE FROM mail_addresses WHERE organization_id = $1 AND address_hash = $2 AND status = 'BOUNCED'`;

const RESUBSCRIBE = `DELETE FROM mail_addresses WHERE organization_id = $1 AND address_hash = $2 AND status = 'UNSUBSCRIBED'`;

/** Ends the mark of an address that unsubscribed, because its owner wants mails again. Returns false if it had none. */
export async function resubscribeAddress(tx: EntityManager, organizationId: string, address: string): Promise<boolean> {
  const [, count]: [unknown, number] = await tx.query(RESUBSCRIBE, [organizationId, hashOf(organizationId, address)]);
  return count > 0;
}

/** Ends the mark of an address that bounced, because it was verified since. */
export async function clearBounce(tx: EntityManager, organizationId: string, address: string): Promise<void> {
  await tx.query(CLEAR, [organizationId, hashOf(organizationId, address)]);
}
