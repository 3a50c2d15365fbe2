import { foldText } from '../../src/platform/locale/fold.js';
import type { AgentSearchRequest } from '../api/types.js';

interface Named {
  id: string;
  name: string;
}

/** Whom the words of filters may name. */
export interface Known {
  agents: readonly Named[];
  groups: readonly Named[];
  me: string;
}

/** What an agent has typed into the search. */
export interface SearchWords {
  /** The body of `POST /search`; null: nothing to search for yet. */
  body: AgentSearchRequest | null;
  /** The filters that can't be understood, as they were typed. */
  unknown: string[];
}

type Filters = Pick<
  AgentSearchRequest,
  'status' | 'unread' | 'senderType' | 'agentId' | 'groupId' | 'tag' | 'from' | 'to' | 'rating'
>;

/** The words of filters, in the order of the hint. */
export const FILTERS = ['from:', 'is:', 'agent:', 'group:', 'tag:', 'before:', 'after:', 'rating:'] as const;
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

/** Reads words and filters: `refund agent:ada is:closed before:2026-10-01`. A value with blanks is in quotes: `agent:"Ada L"`. */
export function readWords(typed: string, known: Known): SearchWords {
  const [words, unknown, filters]: [string[], string[], Filters] = [[], [], {}];
  for (const word of split(typed)) {
    const name = FILTERS.find((filter) => word.toLowerCase().startsWith(filter));
    const value = name && word.slice(name.length).replaceAll('"', '');
    // A filter whose value isn't there yet is being typed.
    if (value === '') continue;
    const filter = name && filterOf(name, value!, known);
    if (filter?.tag) filters.tag = [...(filters.tag ?? []), ...filter.tag];
    else if (filter) Object.assign(filters, filter);
    else if (name) unknown.push(word);
    else words.push(word);
  }
  const q = words.join(' ');
  if (q !== '') return { body: { q, ...filters }, unknown };
  const { senderType: _, ...ofChats } = filters;
  const isEnough = Object.keys(ofChats).some((name) => name !== 'from' && name !== 'to');
  return { body: isEnough ? ofChats : null, unknown };
}

/** How the tag begins that is being typed at the end; null: none. */
export function tagTyped(typed: string): string | null {
  const last = /\S$/.test(typed) || (typed.split('"').length - 1) % 2 === 1 ? split(typed).at(-1) : undefined;
  return last?.toLowerCase().startsWith('tag:') ? last.slice('tag:'.length).replaceAll('"', '') : null;
}

/** The words with this tag in the place of the one that is being typed. */
export function withTag(typed: string, name: string): string {
  const start = typed.toLowerCase().lastIndexOf('tag:');
  return `${typed.slice(0, start)}tag:${/[\s"]/.test(name) ? `"${name.replaceAll('"', '')}"` : name} `;
}

/** Words, with what's between quotes in one. */
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

function filterOf(name: (typeof FILTERS)[number], value: string, known: Known): Filters | undefined {
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
