import { isId } from './ids.js';

/** The opaque form of the last id of a page. */
export function encodeCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** The id a cursor stands for; undefined when it is none of ours. */
export function decodeCursor(cursor: string): string | undefined {
  const id = Buffer.from(cursor, 'base64url').toString();
  return isId(id) && encodeCursor(id) === cursor ? id : undefined;
}
