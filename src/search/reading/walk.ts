import type { PoolClient } from 'pg';
import { isOneEdit } from '../tokens/edits.js';
import { foldChars } from '../tokens/fold.js';
import { wordsOf } from '../tokens/words.js';
import type { Query } from '../query/parse.js';
import { editableWords, toEditedTsquery, toNamedTsquery } from '../query/tsquery.js';
import { kindsOf } from './filters.js';
import {
  endOf,
  findByFilter,
  findEdited,
  findEndOfNewest,
  findInNewest,
  findInStretch,
  findNamed,
  type Hit,
  type Place,
  type Running,
  stretchesFrom,
} from './search.queries.js';
import type { SearchState } from './search-cursor.js';
import { type SearchTime, TimeIsOver } from './time-limit.js';

/** A chat that a search found. */
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
    this.state.named ??= await this.findNamed(query);
    this.running.named = this.state.named;
    const named = this.state.named.slice(this.state.had, this.state.had + this.room);
    this.found.push(...named.map((chatId) => ({ chatId, hit: null, isNamed: true })));
    this.state.had += named.length;
    if (this.state.before !== null && this.room > 0) await this.walk(this.state.before);
    if (this.state.before !== null) return;
    this.state.edited ??= await this.findEdited(query);
    const edited = this.state.edited.splice(0, this.room);
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

  private get findsChats(): boolean {
    return kindsOf(this.running.who, this.running.filter).includes('CHAT');
  }

  private async findNamed(query: Query): Promise<string[]> {
    if (!this.findsChats) return [];
    return this.step(() => findNamed(this.client, this.running, toNamedTsquery(query), query.text));
  }

  // Newest first: rows in their order, then stretches of time. After each step, the state is where the next one begins.
  private async walk(from: Place): Promise<void> {
    const { client, running } = this;
    const end = await this.step(() => findEndOfNewest(client, running.who, from));
    if (this.take(await this.step(() => findInNewest(client, running, from, this.room + 1)), end)) return;
    for (const stretch of stretchesFrom(end!)) {
      const before = this.state.before!;
      const hits = await this.step(() => findInStretch(client, running, stretch, before, this.room + 1));
      if (this.take(hits, endOf(stretch))) return;
    }
  }

  // Whether the walk ends here: the page is full, or nothing is left.
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
