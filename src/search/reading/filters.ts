import type { ChatStatus } from '../../chats/model/chat-status.js';
import { isSeen, seenAs, type Viewer } from '../../chats/model/chat-rights.js';
import type { AskedAttribute } from '../../attributes/attribute-filters.js';
import { type AttributeFilter, chatColumns, sqlHasAttributes } from '../../chats/reading/attributes-sql.js';
import { sqlHasTags, type TagFilter } from '../../chats/reading/tags-sql.js';
import type { EntryKind } from '../index/search-entry.entity.js';

/** Who searches: an agent, or a bot, which may see all chats of its organization. */
export type Searcher = { agent: Viewer } | { organizationId: string };

/** Which chats a search finds (CONTRACT: Search). */
export interface SearchFilter {
  groupId?: string;
  status?: ChatStatus;
  visitorId?: string;
  /** The agent who has the chat, or had it last if it has ended. */
  agentId?: string;
  /** An agent who wrote a message in it. */
  participantId?: string;
  botId?: string;
  isUnread?: boolean;
  /** The scores of the chat's rating. An empty list finds every rated chat. */
  rating?: number[];
  /** Names of tags that the chat has. */
  tag?: string[];
  /** Values of attributes that the chat or its visitor has. */
  attributes?: AskedAttribute[];
  senderType?: 'VISITOR' | 'BOT' | 'AGENT';
  /** Limits the time of the matching message or note or, without words, of the chat's last message. `from` is included, `to` isn't. */
  from?: Date;
  to?: Date;
}

export const organizationOf = (who: Searcher) => ('agent' in who ? who.agent.organizationId : who.organizationId);

/** The kinds of rows that may match. */
export function kindsOf(who: Searcher, { senderType, from, to }: SearchFilter): EntryKind[] {
  if (senderType) return [senderType];
  const kinds: EntryKind[] = ['VISITOR', 'BOT', 'AGENT'];
  if ('agent' in who) kinds.push('NOTE');
  return from || to ? kinds : [...kinds, 'CHAT'];
}

/** A filter after its tag names and attributes were looked up. */
export type FoundFilter = SearchFilter & { tags?: TagFilter; values?: AttributeFilter };

/** Collects the values of a statement. `$1` is the organization, and `$2` the value of `seenAs`. */
export class Values {
  readonly list: unknown[];

  constructor(readonly who: Searcher) {
    this.list = [organizationOf(who), 'agent' in who ? seenAs(who.agent) : null];
  }

  /** Adds a value and returns its parameter, such as `$3`. */
  add(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}

/** SQL: whether a chat has ended, and the agent had it last. @param chat its alias */
export const sqlIsEndedOf = (chat: string, agentId: string) =>
  `(${chat}.status IN ('CLOSED', 'ARCHIVED') AND ${chat}.last_agent_id = ${agentId})`;
const HAS_WRITTEN = (type: 'AGENT' | 'BOT', id: string) => `EXISTS (
  SELECT FROM messages w WHERE w.organization_id = $1 AND w.chat_id = c.id AND w.sender_type = '${type}' AND w.sender_id = ${id})`;
const IS_UNREAD = `c.last_visitor_seq > COALESCE((
  SELECT max(r.seq) FROM chat_reads r WHERE r.organization_id = $1 AND r.chat_id = c.id AND r.side = 'agents'), 0)`;
const IS_RATED = (scores: string) => `EXISTS (
  SELECT FROM ratings s WHERE s.organization_id = $1 AND s.chat_id = c.id AND (cardinality(${scores}::integer[]) = 0 OR s.score = ANY (${scores})))`;

/** SQL: whether the searcher may open the chat `c`, and the filter finds it. Agents have the same rights as in the inbox. */
export function sqlIsFound(values: Values, filter: FoundFilter): string {
  const { groupId, status, visitorId, agentId, participantId, botId, isUnread, rating, tags, values: wanted } = filter;
  const conditions = ['agent' in values.who ? isSeen('c') : 'c.erased_at IS NULL AND $2::text IS NULL'];
  const compare = (column: string, value?: string) => value && conditions.push(`c.${column} = ${values.add(value)}`);
  compare('group_id', groupId);
  compare('status', status);
  compare('visitor_id', visitorId);
  if (agentId) {
    const id = values.add(agentId);
    conditions.push(`(c.agent_id = ${id} OR ${sqlIsEndedOf('c', id)})`);
  }
  if (participantId) conditions.push(HAS_WRITTEN('AGENT', values.add(participantId)));
  if (botId) conditions.push(HAS_WRITTEN('BOT', values.add(botId)));
  if (isUnread) conditions.push(IS_UNREAD);
  if (rating) conditions.push(IS_RATED(values.add(rating)));
  const param = (value: unknown) => values.add(value);
  if (tags) conditions.push(sqlHasTags(tags, 'c.id', param));
  if (wanted) conditions.push(sqlHasAttributes(wanted, chatColumns('c'), param));
  return conditions.map((condition) => `(${condition})`).join(' AND ');
}

/** SQL: whether a row of the index may match, apart from its words. */
export function sqlMayMatch(entry: string, values: Values, { from, to, ...filter }: SearchFilter, start: Date): string {
  const kinds = kindsOf(values.who, { from, to, ...filter });
  return [
    `${entry}.kind = ANY (${values.add(kinds)}::text[])`,
    `${entry}.created_at <= ${values.add(start)}`,
    ...(from ? [`${entry}.created_at >= ${values.add(from)}`] : []),
    ...(to ? [`${entry}.created_at < ${values.add(to)}`] : []),
  ].join(' AND ');
}
