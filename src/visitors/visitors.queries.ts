import type { EntityManager } from 'typeorm';

/**
 * Whether a visitor's name and email are verified, because they come from an identity that the customer's server signed. (Visitors
 * from an earlier release may have unsigned values until they sign in again.)
 * @param visitor the alias of a row of `visitors`
 */
export const sqlIsVerified = (visitor: string) => `(${visitor}.signed_at IS NOT NULL)`;

/** The external id of a visitor, null for the placeholder that owns the chats of erased visitors. */
export const sqlExternalId = (visitor: string) => `NULLIF(${visitor}.external_id, '')`;

/** Attributes by key; null without any. */
export type StoredAttributes = Record<string, string | number | boolean> | null;

/** A visitor as administrators see them. */
export interface VisitorRow {
  id: string;
  externalId: string | null;
  name: string | null;
  email: string | null;
  /** When name and email first came from a signed identity; null: never. */
  signedAt: Date | null;
  metadata: Record<string, unknown> | null;
  attributes: StoredAttributes;
  /** What signed identities said. */
  verifiedAttributes: StoredAttributes;
  createdAt: Date;
}

/** Selects visitors of an organization. */
export interface VisitorFilter {
  /** Compared by `foldText`. */
  email?: string;
  externalId?: string;
  /** Only visitors after this id. */
  after?: string;
  limit: number;
}

/** The columns of a VisitorRow. */
export const VISITOR_COLUMNS = `
  v.id, v.external_id AS "externalId", v.name, v.email, v.signed_at AS "signedAt", v.metadata,
  v.attributes, v.verified_attributes AS "verifiedAttributes", v.created_at AS "createdAt"`;

// Each filter has its own statement, so that each uses its own index. Excludes erased visitors and the placeholder that owns their
// chats (its external id is empty).
const listBy = (condition: string, order: string) => `
  SELECT ${VISITOR_COLUMNS} FROM visitors v
  WHERE v.organization_id = $1 AND id > $2 AND ${condition} AND erasing_since IS NULL AND external_id IS DISTINCT FROM ''
  ORDER BY ${order} LIMIT $3`;

const FOLDED = 'fold_text(email) COLLATE "C"';

/** Lists visitors in the order of their ids. */
export function listVisitors(
  manager: EntityManager,
  organizationId: string,
  { email, externalId, after = '', limit }: VisitorFilter,
): Promise<VisitorRow[]> {
  const values: unknown[] = [organizationId, after, limit];
  const conditions = ['true'];
  const where = (condition: (parameter: string) => string, value: unknown) =>
    conditions.push(condition(`$${values.push(value)}`));
  if (email !== undefined)
    where(
      (parameter) =>
        `email IS NOT NULL AND ${FOLDED} BETWEEN fold_text(${parameter}::text) AND fold_text(${parameter}::text)`,
      email,
    );
  if (externalId !== undefined) where((parameter) => `external_id = ${parameter}`, externalId);
  // With the folded email in the order, only its index fits. With another index, the query would read all visitors if most have the same
  // email.
  const order = email !== undefined && externalId === undefined ? `${FOLDED}, id` : 'id';
  return manager.query(listBy(conditions.join(' AND '), order), values);
}
