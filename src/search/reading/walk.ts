import type { PoolClient } from 'pg';
import { isOneEdit } from '../tokens/edits.js';
import { foldChars } from '../tokens/fold.js';
import { wordsOf } from '../tokens/words.js';
import type { Query } from '../query/parse.js';
import { editableWords, toEditedTsquery, toNamedTsquery } from '../query/tsquery.js';
import { kindsOf } from './filters.js';
import { findFew, findInFew } from './few-chats.queries.js';
import {
  endOf,
  findEndOfRows,
  findFirst,
  findInRows,
  findInStretch,
  MOST_SEGMENTS,
  segmentBefore,
  stretchFrom,
} from './matches.queries.js';
import {
  findByFilter,
  findEdited,
  findNamed,
  findOpen,
  type Hit,
  MOST,
  type Place,
  type Running,
} from './search.queries.js';
import type { SearchState } from './search-cursor.js';
import { type SearchTime, TimeIsOver } from './time-limit.js';

/** How many of the newest rows are read in their order before the index of words is used. Common words fill a page this way. */
const NEWEST = 2_000;
/** The segments of time in the first stretch, and how many times as many the next stretch has. */
const FIRST_STRETCH = 2;
const GROWTH = 3;

export interface FoundChat {
  chatId: string;
  hit: Hit | null;
  isNamed?: boolean;
  isApproximate?: boolean;
}

/** The most chats with an edited name. */
const MAX_EDITED = 20;

/** Finds the chats of a page, and moves the state to its end. */
export class Walk {
  readonly found: FoundChat[] = [];
  isPartial = false;

  constructor(
    private readonly client: PoolClient,
    private readonly time: SearchTime,
    private readonly running: Running,
    private readonly query: Query | null,
    readonly state: SearchState,
    private readonly limit: number,
  ) {}

  /** Whether there's a further page. */
  get hasMore(): boolean {
    const { named, had, before, edited } = this.state;
    return named === null || had < named.length || before !== null || edited === null || edited.length > 0;
  }

  async run(): Promise<void> {
    try {
      if (this.query) await this.runWords(this.query);
      else await this.runFilter();
    } catch (error) {
      if (!(error instanceof TimeIsOver)) throw error;
      this.isPartial = true;
    }
  }

  private get room(): number {
    return this.limit - this.found.length;
  }

  private async runWords(query: Query): Promise<void> {
    const isFirst = this.state.named === null;
    this.state.named ??= await this.findNamed(query);
    this.running.named = this.state.named;
    const next = this.state.named.slice(this.state.had, this.state.had + this.room);
    const named = isFirst ? next : await this.open(next);
    this.found.push(...named.map((chatId) => ({ chatId, hit: null, isNamed: true })));
    this.state.had += next.length;
    if (this.state.before !== null && this.room > 0) await this.walk(this.startOf(this.state.before));
    if (this.state.before !== null) return;
    const areNew = this.state.edited === null;
    this.state.edited ??= await this.findEdited(query);
    const rest = this.state.edited.slice(0, this.room);
    const edited = areNew ? rest : await this.open(rest);
    this.state.edited.splice(0, rest.length);
    this.found.push(...edited.map((chatId) => ({ chatId, hit: null, isApproximate: true })));
  }

  private async runFilter(): Promise<void> {
    const { before } = this.state;
    Object.assign(this.state, { named: [], edited: [] });
    if (before === null) return;
    const places = await this.step(() => findByFilter(this.client, this.running, before, this.limit + 1));
    const page = places.slice(0, this.limit);
    this.found.push(...page.map(({ id }) => ({ chatId: id, hit: null })));
    this.state.before = places.length > page.length ? page.at(-1)! : null;
  }

  private step<T>(work: () => Promise<T>): Promise<T> {
    return this.time.run(this.client, work);
  }

  // Checks the chats of a cursor again: anyone can write a cursor, and rights may have ended since the previous page.
  private async open(ids: string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const open = new Set(await this.step(() => findOpen(this.client, this.running, ids)));
    return ids.filter((id) => open.has(id));
  }

  private get findsChats(): boolean {
    return kindsOf(this.running.who, this.running.filter).includes('CHAT');
  }

  private async findNamed(query: Query): Promise<string[]> {
    if (!this.findsChats) return [];
    return this.step(() => findNamed(this.client, this.running, toNamedTsquery(query), query.text));
  }

  // Begins at the end of the filter if that's earlier.
  private startOf(before: Place): Place {
    const { to } = this.running.filter;
    return to && to <= before.at ? { at: to, id: '' } : before;
  }

  // Newest first: the first rows in their order, then the matches in few chats, or in stretches of time. After each step, the state says
  // where the next step begins.
  private async walk(from: Place): Promise<void> {
    const { client, running } = this;
    if (await this.walkRows(from, NEWEST)) return;
    const few = await this.step(() => findFew(client, running));
    if (few) this.take(await this.step(() => findInFew(client, running, few, this.place, this.room + 1)), null);
    else await this.walkStretches();
  }

  private async walkRows(before: Place, count: number): Promise<boolean> {
    const { client, running } = this;
    const end = await this.step(() => findEndOfRows(client, running, before, count));
    return this.take(await this.step(() => findInRows(client, running, before, count, this.room + 1)), end);
  }

  // A stretch with too many matches is repeated with fewer segments. If one segment has too many, its rows are read in their order.
  private async walkStretches(): Promise<void> {
    const { client, running } = this;
    const first = await this.step(() => findFirst(client, running));
    if (first === null) return void this.take([], null);
    let [size, most] = [FIRST_STRETCH, Number.POSITIVE_INFINITY];
    let crowded: number | null = null;
    for (;;) {
      const { place } = this;
      if (segmentBefore(place) === crowded) {
        if (await this.walkRows(place, MOST)) return;
        continue;
      }
      const stretch = stretchFrom(place, size, first);
      const { hits, read } = await this.step(() => findInStretch(client, running, stretch, place, this.room + 1));
      if (read > MOST) {
        if (stretch === null) most = MOST_SEGMENTS;
        if (stretch?.length === 1) crowded = segmentBefore(place);
        size = Math.max(1, Math.floor((stretch?.length ?? MOST_SEGMENTS) / GROWTH));
      } else {
        if (this.take(hits, endOf(stretch, first))) return;
        if (read < MOST / GROWTH) size = Math.min(size * GROWTH, most);
      }
    }
  }

  /** Where the walk is. */
  private get place(): Place {
    return this.state.before!;
  }

  // Adds hits to the page. Returns whether the walk ends here: the page is full, or nothing is left.
  private take(hits: readonly Hit[], end: Place | null): boolean {
    const { room } = this;
    const taken = hits.slice(0, room);
    this.found.push(...taken.map((hit) => ({ chatId: hit.chatId, hit })));
    const isFull = hits.length > room;
    this.state.before = isFull ? (taken.at(-1) ?? this.state.before) : end;
    return isFull || end === null;
  }

  private async findEdited(query: Query): Promise<string[]> {
    const edited = toEditedTsquery(query);
    if (!this.findsChats || edited === '') return [];
    const chats = await this.step(() => findEdited(this.client, this.running, edited));
    const words = editableWords(query).map(({ word }) => word);
    const isEdited = (name: string) =>
      wordsOf(foldChars(name)).some(({ text }) => words.some((word) => isOneEdit(word, text)));
    return chats
      .filter(({ name }) => isEdited(name))
      .slice(0, MAX_EDITED)
      .map(({ id }) => id);
  }
}
