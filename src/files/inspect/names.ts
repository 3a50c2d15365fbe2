import { findNameFault } from '../../platform/validation/validators.js';
import { FILE_TYPES, isShownInline } from './types.js';

const MAX_NAME = 255;
// Control characters, line separators, and marks that turn the direction of the text after them, which can disguise a name.
const FORBIDDEN = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;

/** What's wrong with the name of a file, for an error that names the field; undefined if it's valid (CONTRACT: Files). */
export function nameFault(name: unknown): string | undefined {
  const fault = findNameFault(name, MAX_NAME);
  if (fault !== null) return fault;
  const text = name as string;
  if (/[/\\]/.test(text)) return 'must not contain / or \\';
  if (FORBIDDEN.test(text))
    return 'must not contain control characters, line breaks, or marks that turn the direction of text';
  return text === '.' || text === '..' ? 'must not be . or ..' : undefined;
}

/** The name of the saved file, which ends with an extension of its type (CONTRACT: Delivery of files). */
export function savedName(name: string, type: string): string {
  const extensions = FILE_TYPES.get(type)?.extensions ?? [];
  const lower = name.toLowerCase();
  if (extensions.length === 0 || extensions.some((extension) => lower.endsWith(`.${extension}`))) return name;
  return `${name}.${extensions[0]}`;
}

/** The value of the header `Content-Disposition` (CONTRACT: Delivery of files). */
export function contentDisposition(name: string, type: string): string {
  const saved = savedName(name, type);
  const ascii = saved.replaceAll(/[^ -~]|["%\\]/gu, '_');
  return `${isShownInline(type) ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${encodeName(saved)}`;
}

/** Percent-encodes everything but the `attr-char` of RFC 8187. */
export function encodeName(name: string): string {
  const hex = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(name).replaceAll(/['()*]/g, hex);
}
