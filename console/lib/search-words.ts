import { foldText } from '../../src/platform/locale/fold.js';
import type { AgentSearchRequest } from '../api/types.js';

interface Named {
  id: string;
  name: string;
}

/** The people and groups that the words of filters may name. */
export interface Known {
  agents: readonly Named[];
  groups: readonly Named[];
  me: string;
}

/** A filter by an attribute, as the service names it: by all that's known, or by what signed identities say. */
type OfAttribute = `attr.${string}` | `verified.${string}`;
export type SearchBody = AgentSearchRequest & Partial<Record<OfAttribute, string[]>>;

/** What an agent has typed into the search. */
export interface SearchWords {
  /** The body of `POST /search`; null: nothing to search for yet. */
  body: SearchBody | null;
  /** The filters that can't be understood, as they were typed. */
  unknown: string[];
  /** Whether there are more filters by tags and attributes than the service takes; then there's no body. */
  hasTooMany?: true;
}

type Filters = Pick<
  AgentSearchRequest,
  'status' | 'unread' | 'senderType' | 'agentId' | 'groupId' | 'tag' | 'from' | 'to' | 'rating'
> &
  Partial<Record<OfAttribute, string[]>>;

const NAMES = ['from:', 'is:', 'agent:', 'group:', 'tag:', 'before:', 'after:', 'rating:'] as const;
const PREFIXES = ['attr.', 'verified.'] as const;
/** The words of filters, in the order of the hint. */
export const FILTERS = [...NAMES, ...PREFIXES] as const;
/** The most characters of a search. */
export const MAX_TYPED = 200;
/** The most filters by tags and attributes together. */
export const MAX_FILTERS = 10;
const STATES = new Map<string, Filters>(
  Object.entries({
    open: { status: 'ACTIVE' },
    waiting: { status: 'QUEUED' },
    closed: { status: 'CLOSED' },
    archived: { status: 'ARCHIVED' },
    unread: { unread: true },
  }),
);
const SENDERS = new Map<string, Filters>(
  Object.entries({
    visitor: { senderType: 'VISITOR' },
    bot: { senderType: 'BOT' },
    agent: { senderType: 'AGENT' },
  }),
);

/** The most characters of a tag. */
const MAX_TAG = 50;
const ATTRIBUTE_KEY = /^[a-zA-Z0-9_.-]{1,64}$/;

/**
 * Reads words and filters: `refund agent:ada attr.plan:gold before:2026-10-01`. A value with blanks is in quotes: `agent:"Ada L"`, and `attr.plan:""` is
 * the empty text.
 */
export function readWords(typed: string, known: Known): SearchWords {
  const [words, unknown, filters]: [string[], string[], Filters] = [[], [], {}];
  const parts = split(typed);
  // The key of an attribute is being typed.
  if (keyTyped(typed)) parts.pop();
  for (const word of parts) {
    const [name, rest] = filterNamed(word);
    const value = rest.replaceAll('"', '');
    // A filter whose value isn't there yet is being typed.
    if (name && value === '' && !(isOfAttribute(name) && rest === '""')) continue;
    const filter = name && (isOfAttribute(name) ? ofAttribute(name, value) : filterOf(name, value, known));
    if (filter) add(filters, filter);
    else if (name) unknown.push(word);
    else words.push(word);
  }
  if (countOf(filters) > MAX_FILTERS) return { body: null, unknown, hasTooMany: true };
  const q = words.join(' ');
  if (q !== '') return { body: { q, ...filters }, unknown };
  const { senderType: _, ...ofChats } = filters;
  const isEnough = Object.keys(ofChats).some((name) => name !== 'from' && name !== 'to');
  return { body: isEnough ? ofChats : null, unknown };
}

const isOfAttribute = (name: string): name is OfAttribute => PREFIXES.some((prefix) => name.startsWith(prefix));

/** The filter that a word is, with the colon but for attributes, and the rest of the word; '' if it's none. */
function filterNamed(word: string): [(typeof NAMES)[number] | OfAttribute | '', string] {
  const folded = word.toLowerCase();
  const name = NAMES.find((filter) => folded.startsWith(filter));
  if (name) return [name, word.slice(name.length)];
  const prefix = PREFIXES.find((one) => folded.startsWith(one));
  const end = word.indexOf(':');
  return prefix && end > 0 ? [`${prefix}${word.slice(prefix.length, end)}`, word.slice(end + 1)] : ['', ''];
}

const ofAttribute = (name: OfAttribute, value: string): Filters | undefined =>
  ATTRIBUTE_KEY.test(name.slice(name.indexOf('.') + 1)) ? { [name]: [value] } : undefined;

/** Tags and values of one attribute are kept together; of another filter, the last one counts. */
function add(filters: Filters, filter: Filters): void {
  for (const [name, value] of Object.entries(filter)) {
    const before = (filters as Record<string, unknown>)[name];
    const isList = name === 'tag' || isOfAttribute(name);
    Object.assign(filters, { [name]: isList ? [...((before as string[]) ?? []), ...(value as string[])] : value });
  }
}

const countOf = (filters: Filters) =>
  Object.entries(filters).reduce(
    (sum, [name, value]) => sum + (name === 'tag' || isOfAttribute(name) ? (value as string[]).length : 0),
    0,
  );

/** The word that is being typed at the end; undefined: none. */
function wordTyped(typed: string): string | undefined {
  return /\S$/.test(typed) || (typed.split('"').length - 1) % 2 === 1 ? split(typed).at(-1) : undefined;
}

/** The beginning of the attribute key that's being typed at the end; null: none. */
export function keyTyped(typed: string): { prefix: (typeof PREFIXES)[number]; key: string } | null {
  const last = wordTyped(typed);
  const prefix = PREFIXES.find((one) => last?.toLowerCase().startsWith(one));
  const key = prefix && last!.slice(prefix.length);
  return key !== undefined && (key === '' || ATTRIBUTE_KEY.test(key)) ? { prefix: prefix!, key } : null;
}

/** The words with this key instead of the one that's being typed. The value is next. */
export function withKey(typed: string, name: string): string {
  const { prefix, key } = keyTyped(typed)!;
  return `${typed.slice(0, typed.length - prefix.length - key.length)}${prefix}${name}:`;
}

/** A filter by an attribute as it's typed; null: no word can say this value. */
export function attributeWords(prefix: (typeof PREFIXES)[number], key: string, value: string): string | null {
  if (value === '*' || value.includes('"')) return null;
  return `${prefix}${key}:${/^\S+$/.test(value) ? value : `"${value}"`}`;
}

/** The beginning of the tag that's being typed at the end; null: none. */
export function tagTyped(typed: string): string | null {
  const last = wordTyped(typed);
  return last?.toLowerCase().startsWith('tag:') ? last.slice('tag:'.length).replaceAll('"', '') : null;
}

/** The words with this tag instead of the one that's being typed. */
export function withTag(typed: string, name: string): string {
  const start = typed.toLowerCase().lastIndexOf('tag:');
  return `${typed.slice(0, start)}tag:${/[\s"]/.test(name) ? `"${name.replaceAll('"', '')}"` : name} `;
}

/** Splits a text into words. What's between quotes is in one word. */
function split(typed: string): string[] {
  const words: string[] = [];
  let [word, isQuoted] = ['', false];
  for (const character of typed) {
    if (character === '"') isQuoted = !isQuoted;
    if (character.trim() !== '' || isQuoted) word += character;
    else {
      words.push(word);
      word = '';
    }
  }
  return [...words, word].filter((one) => one !== '');
}

function filterOf(name: (typeof NAMES)[number], value: string, known: Known): Filters | undefined {
  const wanted = plain(value);
  switch (name) {
    case 'from:':
      return SENDERS.get(wanted);
    case 'is:':
      return STATES.get(wanted);
    case 'agent:': {
      const agentId = wanted === 'me' ? known.me : idOf(known.agents, wanted);
      return agentId === undefined ? undefined : { agentId };
    }
    case 'group:': {
      const groupId = idOf(known.groups, wanted);
      return groupId === undefined ? undefined : { groupId };
    }
    case 'tag:':
      return value.length <= MAX_TAG ? { tag: [value] } : undefined;
    case 'before:':
      return ofDay(value, (to) => ({ to }));
    case 'after:':
      return ofDay(value, (from) => ({ from }));
    case 'rating:':
      return ['1', '2', '3', '4', '5', '*'].includes(value) ? { rating: [value as '1'] } : undefined;
  }
}

/** Without case and accents. */
const plain = (text: string) => foldText(text).normalize('NFD').replaceAll(/\p{M}/gu, '');

// The whole name counts before its beginning.
function idOf(all: readonly Named[], wanted: string): string | undefined {
  const folded = all.map(({ id, name }) => ({ id, name: plain(name) }));
  return (folded.find(({ name }) => name === wanted) ?? folded.find(({ name }) => name.startsWith(wanted)))?.id;
}

/** The beginning of a day in the agent's time zone. */
function ofDay(value: string, toFilters: (time: string) => Filters): Filters | undefined {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(`${value}T00:00`) : undefined;
  return time && !Number.isNaN(time.getTime()) ? toFilters(time.toISOString()) : undefined;
}

/** A text in pieces: every second one matches. */
export function piecesOf(text: string, ranges: readonly (readonly number[])[]): string[] {
  const pieces: string[] = [];
  let at = 0;
  for (const [start, end] of ranges) {
    pieces.push(text.slice(at, start), text.slice(start, end));
    at = end!;
  }
  return [...pieces, text.slice(at)];
}
