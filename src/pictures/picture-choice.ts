import { isWebUrl } from '../platform/lib/web-url.js';
import { findTextFault } from '../platform/validation/validators.js';

/** The most bytes of a picture. */
export const MAX_PICTURE_BYTES = 2_097_152;
/** The longest address, in characters. */
const MAX_ADDRESS = 2_000;

const DATA = /^data:image\/(?:png|jpeg|webp);base64,/;
const LONGEST_HEAD = 'data:image/jpeg;base64,'.length;
/** The most characters of a choice: a `data:` URL of the largest picture. */
export const MAX_CHOICE = LONGEST_HEAD + Math.ceil(MAX_PICTURE_BYTES / 3) * 4;

const RULE =
  'must be an http(s) URL without a user name, a data: URL of a PNG, JPEG, or WebP picture in base64, or null';

/** Why a value can't choose a picture (CONTRACT: Pictures); null: it can. Addresses aren't requested here. */
export function findChoiceFault(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') return RULE;
  if (value.length > MAX_CHOICE) return `must have at most ${MAX_PICTURE_BYTES} bytes`;
  if (DATA.test(value)) return bytesOfData(value) ? null : RULE;
  if (value.startsWith('data:')) return RULE;
  return findTextFault(value, 1, MAX_ADDRESS) ?? (isWebUrl(value, 'https:', 'http:') ? null : RULE);
}

/** The bytes of a `data:` URL; null for anything else. */
export function bytesOfData(choice: string): Buffer | null {
  const [head = ''] = DATA.exec(choice.slice(0, LONGEST_HEAD)) ?? [];
  if (head === '') return null;
  const base64 = choice.slice(head.length);
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length > 0 && bytes.toString('base64') === base64 ? bytes : null;
}
