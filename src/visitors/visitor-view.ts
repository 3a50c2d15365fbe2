import type { VisitorRow } from './visitors.queries.js';

/** A visitor as administrators and the export show them. */
export function toVisitorView(row: VisitorRow) {
  const { id, externalId, name, email, metadata, attributes, verifiedAttributes, createdAt } = row;
  return {
    id,
    externalId,
    name,
    email,
    isVerified: row.signedAt !== null,
    metadata: metadata ?? {},
    attributes: attributes ?? {},
    verifiedAttributes: verifiedAttributes ?? {},
    createdAt,
  };
}
