import { aText, type Checks, checkOptions, oneOf, texts } from './lib/check.js';
import type { ChatStatus, SearchResult } from './wire.js';

/**
 * Filters by attributes: `'attr.plan': 'gold'` matches values of the chat or its visitor from any source, `'verified.plan'` only what
 * signed identities say. `*` as the value: the key is set. An administrator adds the keys first.
 */
export type AttributeFilters = Partial<Record<`attr.${string}` | `verified.${string}`, string | readonly string[]>>;

/** What to search for: words, a filter, or both. */
export interface SearchOptions extends AttributeFilters {
  /** 1 to 200 characters. All words must match, and the last one is a prefix unless it's in quotes. */
  q?: string;
  /** Needed by a token with the scope `search`; with `search:all`, it may be omitted. */
  visitorId?: string;
  groupId?: string;
  status?: ChatStatus;
  /** The agent who has the chat, or had it last. */
  agentId?: string;
  /** An agent who wrote in the chat. */
  participantId?: string;
  /** A bot that wrote in the chat. */
  botId?: string;
  /** The chat has this tag, or all of these. */
  tag?: string | readonly string[];
  /** `1` to `5`, or `*` for any rating. */
  rating?: string;
  senderType?: 'VISITOR' | 'BOT' | 'AGENT';
  /** Times in ISO form: matches from the first on, and before the second. */
  from?: string;
  to?: string;
}

const SEARCH: Checks<SearchOptions> = {
  q: aText,
  visitorId: aText,
  groupId: aText,
  status: oneOf('ACTIVE', 'QUEUED', 'CLOSED', 'ARCHIVED'),
  agentId: aText,
  participantId: aText,
  botId: aText,
  tag: texts,
  rating: oneOf('1', '2', '3', '4', '5', '*'),
  senderType: oneOf('VISITOR', 'BOT', 'AGENT'),
  from: aText,
  to: aText,
  'attr.': texts,
  'verified.': texts,
};

interface SearchPage {
  results: SearchResult[];
  nextCursor: string | null;
}

/** The results, page by page. @throws ParleyError */
export async function* searchPages(
  options: SearchOptions,
  ask: (path: string) => Promise<SearchPage>,
): AsyncGenerator<SearchResult, void> {
  checkOptions(options, SEARCH);
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: SearchPage = await ask(`/search?${queryOf({ ...options, ...(cursor && { cursor }) })}`);
    yield* page.results;
    cursor = page.nextCursor;
  }
}

/** The query of a path, without undefined values. The values of a list are repeated. */
export function queryOf(given: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given) as [string, string | readonly string[] | undefined][])
    for (const one of [value].flat()) if (one !== undefined) query.append(name, one);
  return String(query);
}
