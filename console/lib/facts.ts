import { safeUrl } from '../../headless/links.js';

/** The keys of a visitor's or a chat's metadata that name the page on which it was begun. */
const PAGE_KEYS = ['page', 'pageUrl', 'url', 'referrer'];
/** Objects are shown line by line down to this level, and as JSON below it. */
const MOST_LEVELS = 4;
/** The most characters of JSON below that level, and of the names before a name: repeated on each line, they would multiply. */
const MOST_JSON = 200;
const MOST_PATH = 60;

type Metadata = Record<string, unknown>;

/** The address of a page, and the key of the metadata that names it. */
export interface NamedPage {
  key: string;
  page: string;
}

/** The page on which a chat was begun, as the chat's metadata names it, or else the visitor's. */
export function pageOf(chat: Metadata, visitor: Metadata): NamedPage | undefined {
  for (const key of PAGE_KEYS) {
    const page = pageAt(chat, key) ?? pageAt(visitor, key);
    if (page) return { key, page };
  }
  return undefined;
}

/**
 * Metadata as lines of a name and a value; a name within an object has the object's name in front.
 * @param shown the page that is shown already: its line is left out
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
    if (level === MOST_LEVELS) return [[name, cut(JSON.stringify(value), MOST_JSON)]];
    return linesOf(value as Metadata, `${cut(name, MOST_PATH)} · `, level + 1);
  });
}

function pageAt(metadata: Metadata, key: string): string | undefined {
  return safeUrl(metadata[key], 'http https');
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
