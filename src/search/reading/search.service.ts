import { Inject, Injectable } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { AttributeKeysService } from '../../attributes/attribute-keys.service.js';
import type { AttributeFilter } from '../../chats/reading/attributes-sql.js';
import type { Viewer } from '../../chats/model/chat-rights.js';
import type { InboxRow } from '../../inbox/views/inbox-row.js';
import { InboxService } from '../../inbox/views/inbox.service.js';
import { POOL } from '../../platform/database/pool.js';
import { SEARCH_CONNECTIONS, SEARCH_POOL } from '../../platform/database/pools/search-pool.js';
import { type Sender, toSender } from '../../messages/message.js';
import { notFound } from '../../platform/errors/problem.js';
import { findTagFilter } from '../../tags/tags.queries.js';
import { snippetOf, type Snippet } from '../query/marks.js';
import { parseQuery, type Query } from '../query/parse.js';
import { toTsquery } from '../query/tsquery.js';
import { type FoundMessage, type FoundNote, readChats, readMessages, readNotes } from './contents.queries.js';
import { organizationOf, type SearchFilter, type Searcher } from './filters.js';
import { encodeState, firstState, type SearchState } from './search-cursor.js';
import { findInChats, type Hit, type Running } from './search.queries.js';
import { hasSubject, seesVisitor, type Subject } from './subjects.queries.js';
import { SearchTurns } from './search-turns.js';
import { SearchTime, TimeIsOver } from './time-limit.js';
import { type FoundChat, Walk } from './walk.js';

/** What to search for. Without `q`, the chats of the filter. */
export interface SearchInput {
  q?: string;
  filter: SearchFilter;
  limit: number;
  /** Where the page begins; omitted: the first page. */
  state?: SearchState;
  /** How an error's pointer to a parameter begins: `?` for a query, `/` for a body. */
  mark: '?' | '/';
}

/** A message that matches. */
export interface MessageHit extends Snippet {
  id: string;
  seq: number;
  createdAt: string;
  sender: Sender;
}

/** A note that matches. */
export interface NoteHit extends Snippet {
  id: string;
  createdAt: string;
  author: { id: string; name: string };
}

/** A chat that was found, with its newest match. */
export interface SearchResult<C> {
  chat: C;
  message?: MessageHit;
  note?: NoteHit;
  isApproximate?: true;
}

export interface SearchPage<C> {
  results: SearchResult<C>[];
  nextCursor: string | null;
  partial?: true;
}

/** Finds chats by their messages, notes, and visitors (CONTRACT: Search). */
@Injectable()
export class SearchService {
  private readonly turns = new SearchTurns(SEARCH_CONNECTIONS);

  constructor(
    @Inject(SEARCH_POOL) private readonly searches: Pool,
    @Inject(POOL) private readonly pool: Pool,
    private readonly inbox: InboxService,
    private readonly keys: AttributeKeysService,
  ) {}

  /**
   * The matching chats that the agent may open.
   * @throws Problem not_found if the filter names a group, visitor, agent, or bot that the agent can't see; validation_failed if an
   * attribute's key isn't set up as a filter; not_ready while it's being set up
   */
  async searchAsAgent(viewer: Viewer, input: SearchInput): Promise<SearchPage<InboxRow>> {
    const { groupId, visitorId } = input.filter;
    if (groupId) await this.inbox.checkGroup(viewer, groupId);
    if (visitorId && !(await seesVisitor(this.pool, viewer, visitorId))) notFound('Visitor');
    await this.checkPeople(viewer.organizationId, input.filter);
    return this.search({ agent: viewer }, input, async (_, ids) => {
      const rows = await this.inbox.findRows(viewer.organizationId, ids);
      return new Map(rows.map((row) => [row.id, row]));
    });
  }

  /**
   * The matching chats of the organization, in the form that events have.
   * @throws Problem not_found if the filter names a group, visitor, agent, or bot that doesn't exist; validation_failed if an attribute's
   * key isn't set up as a filter; not_ready while it's being set up
   */
  async searchAsBot(organizationId: string, input: SearchInput): Promise<SearchPage<Record<string, unknown>>> {
    const { groupId, visitorId } = input.filter;
    await this.check(organizationId, 'Group', groupId);
    await this.check(organizationId, 'Visitor', visitorId);
    await this.checkPeople(organizationId, input.filter);
    return this.search({ organizationId }, input, (client, ids) => readChats(client, organizationId, ids));
  }

  private async checkPeople(organizationId: string, { agentId, participantId, botId }: SearchFilter): Promise<void> {
    await this.check(organizationId, 'Agent', agentId);
    await this.check(organizationId, 'Agent', participantId);
    await this.check(organizationId, 'Bot', botId);
  }

  private async check(organizationId: string, subject: Subject, id?: string): Promise<void> {
    if (id && !(await hasSubject(this.pool, organizationId, subject, id))) notFound(subject);
  }

  private async search<C>(who: Searcher, input: SearchInput, readRows: ReadRows<C>): Promise<SearchPage<C>> {
    const { q, filter, state = firstState(new Date()), mark } = input;
    const values = await this.keys.filterBy(organizationOf(who), filter.attributes, mark);
    const query = q === undefined ? null : parseQuery(q);
    if (query?.groups.length === 0) return { results: [], nextCursor: null };
    const time = new SearchTime();
    const turn = await this.turns.begin(organizationOf(who), time.left()).catch(nullIfTimeIsOver);
    try {
      const client = turn && (await time.connect(this.searches).catch(nullIfTimeIsOver));
      if (!client) return { results: [], nextCursor: encodeState(state, q ?? '', filter), partial: true };
      return await this.searchOver(client, time, who, { ...input, query, state, values }, readRows);
    } finally {
      turn?.();
    }
  }

  private async searchOver<C>(
    client: PoolClient,
    time: SearchTime,
    who: Searcher,
    input: ReadInput,
    readRows: ReadRows<C>,
  ): Promise<SearchPage<C>> {
    try {
      const page = await this.searchWith(client, time, who, input, readRows);
      client.release();
      return page;
    } catch (error) {
      client.release(error as Error);
      throw withoutWords(error);
    }
  }

  private async searchWith<C>(
    client: PoolClient,
    time: SearchTime,
    who: Searcher,
    { q, query, filter, state, limit, values }: ReadInput,
    readRows: ReadRows<C>,
  ): Promise<SearchPage<C>> {
    const words = query ? toTsquery(query) : '';
    const tags = await findTagFilter(client, organizationOf(who), filter.tag);
    const running: Running = { who, filter: { ...filter, tags, values }, words, start: state.start, named: [] };
    const walk = new Walk(client, time, running, query, { ...state }, limit);
    await client.query('BEGIN READ ONLY');
    await walk.run();
    await client.query('ROLLBACK');
    const hits = await withHitsOfNamed(client, running, query, walk.found);
    const results = await this.toResults(client, organizationOf(who), query, hits, readRows);
    return {
      results,
      nextCursor: walk.hasMore ? encodeState(walk.state, q ?? '', filter) : null,
      ...(walk.isPartial && { partial: true as const }),
    };
  }

  private async toResults<C>(
    client: PoolClient,
    organizationId: string,
    query: Query | null,
    found: readonly FoundChat[],
    readRows: ReadRows<C>,
  ): Promise<SearchResult<C>[]> {
    if (found.length === 0) return [];
    const hits = found.flatMap(({ hit }) => hit ?? []);
    const messages = new Map(
      (await readMessages(client, organizationId, hits)).map((message) => [message.id, message]),
    );
    const notes = new Map((await readNotes(client, organizationId, hits)).map((note) => [note.id, note]));
    const chatIds = found.map(({ chatId }) => chatId);
    const chats = await readRows(client, chatIds);
    return found.flatMap(({ chatId, hit, isApproximate, isNamed }) => {
      const chat = chats.get(chatId);
      const message = messages.get(hit?.id ?? '');
      const note = notes.get(hit?.id ?? '');
      const isGone = hit !== null && hit.kind !== 'CHAT' && !message && !note;
      if (!chat || (isGone && !isNamed)) return [];
      return {
        chat,
        ...(message && { message: toMessageHit(query!, message) }),
        ...(note && { note: toNoteHit(query!, note) }),
        ...(isApproximate && { isApproximate }),
      };
    });
  }
}

function nullIfTimeIsOver(error: unknown): null {
  if (error instanceof TimeIsOver) return null;
  throw error;
}

/** PostgreSQL quotes values in errors about data, syntax, and its limits. This error replaces them, because errors are logged. */
function withoutWords(error: unknown): unknown {
  const { code } = error as { code?: unknown };
  const isQuoting = typeof code === 'string' && ['22', '42', '54'].some((start) => code.startsWith(start));
  return isQuoting ? new Error(`a statement of a search failed (SQLSTATE ${code})`) : error;
}

/** A search whose words and attributes have been read. */
interface ReadInput extends SearchInput {
  query: Query | null;
  state: SearchState;
  values: AttributeFilter | undefined;
}

type ReadRows<C> = (client: PoolClient, ids: readonly string[]) => Promise<Map<string, C>>;

/** A chat that `q` names shows its newest match too. */
async function withHitsOfNamed(
  client: PoolClient,
  running: Running,
  query: Query | null,
  found: readonly FoundChat[],
): Promise<FoundChat[]> {
  const named = found.filter(({ isNamed }) => isNamed).map(({ chatId }) => chatId);
  if (!query || named.length === 0) return [...found];
  const hits = await findInChats(client, { ...running, named }, query.text);
  const byChat = new Map<string, Hit>(hits.map((hit) => [hit.chatId, hit]));
  return found.map((one) => (one.isNamed ? { ...one, hit: byChat.get(one.chatId) ?? null } : one));
}

function toMessageHit(query: Query, { id, seq, createdAt, content, files, ...message }: FoundMessage): MessageHit {
  const sender = toSender(message.senderType, message.senderId, message.senderName, message.senderIsAi);
  return { id, seq, createdAt: createdAt.toISOString(), sender, ...snippetOf(query, content, namesOf(files)) };
}

function toNoteHit(query: Query, { id, createdAt, authorId, authorName, content, files }: FoundNote): NoteHit {
  const author = { id: authorId, name: authorName };
  return { id, createdAt: createdAt.toISOString(), author, ...snippetOf(query, content, namesOf(files)) };
}

const namesOf = (files: FoundMessage['files']) => (files ?? []).map(({ name }) => name);
