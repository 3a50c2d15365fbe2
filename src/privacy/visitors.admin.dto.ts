import type { VisitorRow } from '../chats/visitors.queries.js';
import { PageQuery } from '../common/paging.js';
import { Text } from '../common/validators.js';

/** How to find people: by all that is given. */
export class VisitorsQuery extends PageQuery {
  @Text(1, 320, { optional: true })
  email?: string;

  @Text(1, 255, { optional: true })
  externalId?: string;
}

/** A visitor as administrators see them. */
export function toVisitorResponse(row: VisitorRow) {
  const { id, externalId, name, email, metadata, createdAt } = row;
  return { id, externalId, name, email, isVerified: row.signedAt !== null, metadata: metadata ?? {}, createdAt };
}
