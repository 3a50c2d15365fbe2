import type { EntityManager } from 'typeorm';

/**
 * Whether the name and address of a visitor are verified: they come from an identity that the customer's own server
 * signed, and from nothing else. (A person whom an earlier release stored may have others until they sign in again.)
 * @param visitor the alias of a row of `visitors`
 */
export const sqlIsVerified = (visitor: string) => `(${visitor}.signed_at IS NOT NULL)`;

/** A visitor as administrators see them. */
export interface VisitorRow {
  id: string;
  externalId: string | null;
  name: string | null;
  email: string | null;
  /** When name and email first came from a signed identity; null: nobody signed them. */
  signedAt: Date | null;
  metadata: Record<string, unknown> | null;
  createdAt: Date;
}

/** Which visitors of an organization. */
export interface VisitorFilter {
  /** However it is spelled in capitals and small letters. */
  email?: string;
  externalId?: string;
  /** Only visitors after this id. */
  after?: string;
  limit: number;
}

// A statement for each way to find people, so that each has the plan of its own index. Nobody (an empty external id) and who is
// being erased are not people.
const listBy = (condition: string, order: string) => `
  SELECT id, external_id AS "externalId", name, email, signed_at AS "signedAt", metadata, created_at AS "createdAt" FROM visitors
  WHERE organization_id = $1 AND id > $2 AND ${condition} AND erasing_since IS NULL AND external_id IS DISTINCT FROM ''
  ORDER BY ${order} LIMIT $3`;

/** In the order of their ids. */
export function listVisitors(
  manager: EntityManager,
  organizationId: string,
  { email, externalId, after = '', limit }: VisitorFilter,
): Promise<VisitorRow[]> {
  const values: unknown[] = [organizationId, after, limit];
  const conditions = ['true'];
  const where = (condition: (place: string) => string, value: unknown) =>
    conditions.push(condition(`$${values.push(value)}`));
  if (email !== undefined)
    where(
      (place) => `email IS NOT NULL AND lower(email) BETWEEN lower(${place}::text) AND lower(${place}::text)`,
      email,
    );
  if (externalId !== undefined) where((place) => `external_id = ${place}`, externalId);
  // As part of the order, only the index of addresses fits: others read everybody where most have the same one.
  const order = email !== undefined && externalId === undefined ? 'lower(email), id' : 'id';
  return manager.query(listBy(conditions.join(' AND '), order), values);
}
