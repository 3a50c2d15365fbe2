import { safeUrl } from '../../headless/links.js';

/** Metadata keys that name the page where a chat started. */
const PAGE_KEYS = ['page', 'pageUrl', 'url', 'referrer'];
/** Nested objects are shown line by line down to this level, and as JSON below it. */
const MAX_LEVELS = 4;
/** Maximum characters of that JSON, and of the path before a name: paths repeat on each line, so they would multiply. */
const MAX_JSON_LENGTH = 200;
const MAX_PATH_LENGTH = 60;

type Metadata = Record<string, unknown>;

/** The address of a page, and the key of the metadata that names it. */
export interface NamedPage {
  key: string;
  page: string;
}

/** The page where a chat started, from the chat's metadata or the visitor's. */
export function pageOf(chat: Metadata, visitor: Metadata): NamedPage | undefined {
  for (const key of PAGE_KEYS) {
    const page = pageAt(chat, key) ?? pageAt(visitor, key);
    if (page) return { key, page };
  }
  return undefined;
}

/**
 * Metadata as names and values. Names within an object are prefixed with the object's name.
 * @param shown the page that is already shown, which is omitted
 */
export function factsOf(metadata: Metadata, shown?: NamedPage): [name: string, value: string][] {
  const isShown = shown && pageAt(metadata, shown.key) === shown.page;
  const entries = Object.entries(metadata).filter(([key]) => !isShown || key !== shown.key);
  return linesOf(Object.fromEntries(entries), '', 1);
}

function linesOf(metadata: Metadata, path: string, level: number): [string, string][] {
  return Object.entries(metadata).flatMap(([key, value]): [string, string][] => {
    const name = `${path}${key}`;
    if (value === null || value === '') return [];
    if (typeof value === 'string') return [[name, value]];
    if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return [[name, value.join(', ')]];
    if (typeof value !== 'object' || Array.isArray(value)) return [[name, JSON.stringify(value)]];
    if (level === MAX_LEVELS) return [[name, cut(JSON.stringify(value), MAX_JSON_LENGTH)]];
    return linesOf(value as Metadata, `${cut(name, MAX_PATH_LENGTH)} · `, level + 1);
  });
}

function pageAt(metadata: Metadata, key: string): string | undefined {
  return safeUrl(metadata[key], 'http https');
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
