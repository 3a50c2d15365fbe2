import { isStorable } from './json.js';

// Every list ends with an id that this service created.
const OWN_ID = /^[a-z]{3}_[0-9a-z]{26}$/;

/** The opaque form of the last id of a page. */
export function encodeCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** The id in a cursor; undefined when this service didn't create the cursor. */
export function decodeCursor(cursor: string): string | undefined {
  const id = Buffer.from(cursor, 'base64url').toString();
  return OWN_ID.test(id) && encodeCursor(id) === cursor ? id : undefined;
}

/** The position of a row in a list sorted by time, then id. */
export interface Position {
  at: Date;
  id: string;
}

export function encodePosition({ at, id }: Position): string {
  return Buffer.from(at.toISOString() + id).toString('base64url');
}

/** The position of a row in a list sorted by text, then id. */
export interface TextPosition {
  key: string;
  id: string;
}

export function encodeTextPosition({ key, id }: TextPosition): string {
  return Buffer.from(id + key).toString('base64url');
}

const ID_LENGTH = 'vis_01h455vb4pex5vsknk084sn02q'.length;

/** The position in a cursor; undefined when this service didn't create the cursor. */
export function decodeTextPosition(cursor: string): TextPosition | undefined {
  const text = Buffer.from(cursor, 'base64url').toString();
  const id = text.slice(0, ID_LENGTH);
  const key = text.slice(ID_LENGTH);
  if (!OWN_ID.test(id) || !isStorable(key)) return undefined;
  return encodeTextPosition({ key, id }) === cursor ? { key, id } : undefined;
}

const TIME_LENGTH = '2026-01-15T08:30:00.000Z'.length;

/** The position in a cursor; undefined when this service didn't create the cursor. */
export function decodePosition(cursor: string): Position | undefined {
  const text = Buffer.from(cursor, 'base64url').toString();
  const at = new Date(text.slice(0, TIME_LENGTH));
  const id = text.slice(TIME_LENGTH);
  if (Number.isNaN(at.getTime()) || !OWN_ID.test(id)) return undefined;
  return encodePosition({ at, id }) === cursor ? { at, id } : undefined;
}
