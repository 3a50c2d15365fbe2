import { TypeID, typeid } from 'typeid-js';

/** The kind of thing an id names; see CONTRACT section 1. */
export type IdPrefix = 'org' | 'grp' | 'agt' | 'bot' | 'tok' | 'vis' | 'cht' | 'msg' | 'whk' | 'evt' | 'dlv';

/** The longest id a client may send, in characters. */
export const MAX_ID_LENGTH = 64;

const ID = /^[A-Za-z0-9_]{1,64}$/;

/** A new id in TypeID form: prefix, `_`, a UUIDv7 in Crockford base 32. Ids made by one process sort by creation. */
export function newId(prefix: IdPrefix): string {
  return typeid(prefix).toString();
}

/** Ids made before this time are smaller, those made later are larger. */
export function idAt(prefix: IdPrefix, at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  return TypeID.fromUUID(prefix, `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`).toString();
}

/** Whether a text has the form of an id. What has not cannot name anything, so it need not be looked up. */
export function isId(text: string): boolean {
  return ID.test(text);
}
