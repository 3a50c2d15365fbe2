import type { AuditRow } from '../../auth/audit/audit.queries.js';
import { csvLine, csvOf } from '../../platform/lib/csv.js';

const HEADINGS = [
  'at',
  'action',
  'actorType',
  'actorId',
  'actorName',
  'target',
  'targetName',
  'field',
  'from',
  'to',
  'sourceAddress',
  'id',
];

/** Entries as CSV in pieces, one line for each field that was changed. */
export const auditCsv = (pages: AsyncGenerator<AuditRow[], void>, bom: boolean) => csvOf(HEADINGS, pages, linesOf, bom);

function linesOf({ id, at, actor, action, target, targetName, changes, sourceAddress }: AuditRow): string {
  const fields = changes.length > 0 ? changes : [{ field: null, from: null, to: null }];
  const begin = [at.toISOString(), action, actor.type, actor.id, actor.name, target, targetName];
  return fields.map(({ field, from, to }) => csvLine([...begin, field, from, to, sourceAddress, id])).join('');
}
