import type { AuditRow } from '../../auth/audit/audit.queries.js';
import { printable } from '../../platform/lib/printable.js';

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

// A spreadsheet takes what begins so for a formula. Where its separator is another one, a cell begins within a text.
const FORMULA = /(^|[,;|])[ "]*(?=[=+\-@＝＋－＠])/g;

/** Entries as CSV (RFC 4180) in pieces, one line for each field that was changed. The first page is read before it returns. */
export async function csvOf(pages: AsyncGenerator<AuditRow[]>): Promise<AsyncGenerator<string>> {
  const first = await pages.next();
  return chunksOf(first.value as AuditRow[] | undefined, pages);
}

async function* chunksOf(first: AuditRow[] = [], rest: AsyncGenerator<AuditRow[]>): AsyncGenerator<string> {
  yield lineOf(HEADINGS) + first.map(linesOf).join('');
  for await (const rows of rest) yield rows.map(linesOf).join('');
}

function linesOf({ id, at, actor, action, target, targetName, changes, sourceAddress }: AuditRow): string {
  const fields = changes.length > 0 ? changes : [{ field: null, from: null, to: null }];
  const begin = [at.toISOString(), action, actor.type, actor.id, actor.name, target, targetName];
  return fields.map(({ field, from, to }) => lineOf([...begin, field, from, to, sourceAddress, id])).join('');
}

function lineOf(values: readonly unknown[]): string {
  return `${values.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: unknown): string {
  if (value === null) return '';
  const text = printable(typeof value === 'string' ? value : JSON.stringify(value));
  return `"${text.replace(FORMULA, "$&'").replaceAll('"', '""')}"`;
}
