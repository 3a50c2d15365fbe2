import { TypeID, typeid } from 'typeid-js';

/** The prefix of an id, one per kind of resource (CONTRACT: Conventions). */
export type IdPrefix =
  | 'org'
  | 'grp'
  | 'agt'
  | 'bot'
  | 'tok'
  | 'vis'
  | 'cht'
  | 'msg'
  | 'whk'
  | 'evt'
  | 'dlv'
  | 'sub'
  | 'con'
  | 'cvr'
  | 'trn'
  | 'run'
  | 'ses'
  | 'lnk'
  | 'hof'
  | 'off'
  | 'not'
  | 'rpl'
  | 'aud'
  | 'opr'
  | 'upl'
  | 'eml'
  | 'inm'
  | 'tag'
  | 'viw';

/** The longest id a client may send, in characters. */
export const MAX_ID_LENGTH = 64;

const ID = /^[A-Za-z0-9_]{1,64}$/;

/**
 * Creates an id in TypeID form: prefix, `_`, a UUIDv7 in Crockford base 32. The ids of one process sort by creation
 * time.
 */
export function newId(prefix: IdPrefix): string {
  return typeid(prefix).toString();
}

/** The smallest id of this time: earlier ids are smaller, later ones larger. */
export function idAt(prefix: IdPrefix, at: Date): string {
  return idOf(prefix, at, Buffer.alloc(10));
}

/** The id of this time whose random part is the first 10 bytes: the same bytes give the same id. */
export function idOf(prefix: IdPrefix, at: Date, bytes: Buffer): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  const rest = bytes.toString('hex', 0, 10);
  const variant = ((bytes[2]! & 0x3f) | 0x80).toString(16);
  const parts = [time.slice(0, 8), time.slice(8), `7${rest.slice(1, 4)}`, variant + rest.slice(6, 8), rest.slice(8)];
  return TypeID.fromUUID(prefix, parts.join('-')).toString();
}

/** Whether a text has the form of an id. Any other text matches no row and needs no lookup. */
export function isId(text: string): boolean {
  return ID.test(text);
}
