import { printable } from './printable.js';

// Spreadsheets read cells with such a beginning as formulas. If a spreadsheet has another separator, a cell may begin within a text.
const FORMULA = /(^|[,;|])[ "]*(?=[=+\-@＝＋－＠])/g;

/** A line of CSV (RFC 4180), safe to open in a spreadsheet. Null is an empty cell, and a line break a space. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: unknown): string {
  if (value === null) return '';
  const text = printable(typeof value === 'string' ? value.replace(/\r\n|[\n\r\t]/g, ' ') : JSON.stringify(value));
  return `"${text.replace(FORMULA, "$&'").replaceAll('"', '""')}"`;
}

/** With this at its beginning, Excel reads a file as UTF-8. Most programs take it for a part of the first heading. */
const BYTE_ORDER_MARK = '\ufeff';

/**
 * The header and the lines of all pages, as pieces of CSV. The first page is read before this returns, so that its errors are an answer.
 * @param bom whether it begins with a byte order mark
 */
export async function csvOf<R>(
  headings: readonly string[],
  pages: AsyncGenerator<readonly R[], void>,
  linesOf: (row: R) => string,
  bom = false,
): Promise<AsyncGenerator<string>> {
  const first = await pages.next();
  return piecesOf(`${bom ? BYTE_ORDER_MARK : ''}${csvLine(headings)}`, first.value ?? [], pages, linesOf);
}

async function* piecesOf<R>(
  header: string,
  first: readonly R[],
  rest: AsyncGenerator<readonly R[], void>,
  linesOf: (row: R) => string,
): AsyncGenerator<string> {
  yield header + first.map(linesOf).join('');
  for await (const rows of rest) yield rows.map(linesOf).join('');
}
