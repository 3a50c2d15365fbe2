import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { foldText } from '../../platform/locale/fold.js';

/** What an organization's mails to an address meet. */
export type AddressStatus = 'ACTIVE' | 'BOUNCED' | 'UNSUBSCRIBED';

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

// Who unsubscribed stays so when a mail bounces.
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

/** Ends the mark of an address that bounced, because it was verified since. */
export async function clearBounce(tx: EntityManager, organizationId: string, address: string): Promise<void> {
  await tx.query(CLEAR, [organizationId, hashOf(organizationId, address)]);
}
