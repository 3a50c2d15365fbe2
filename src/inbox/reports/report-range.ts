import { isStay } from '../../chats/moves/chat-transitions.queries.js';
import { type AttributeFilter, sqlHasAttributes, withVisitor } from '../../chats/reading/attributes-sql.js';
import { sqlHasTagsOfAll, type TagFilter } from '../../chats/reading/tags-sql.js';
import { idAt } from '../../platform/lib/ids.js';
import { dayLimits } from '../../platform/locale/time-zone.js';

/** The days of a report, first and last included. */
export interface ReportRange {
  /** `YYYY-MM-DD`. */
  from: string;
  to: string;
  /** The IANA time zone of the days, one that Node.js knows. */
  timeZone: string;
  /** Only chats and hand-offs of this group. */
  groupId?: string;
  /** Only chats with these tags, and their hand-offs. */
  tags?: TagFilter;
  /** The same with attributes. */
  attributes?: AttributeFilter;
}

const DAY_MS = 86_400_000;

/** The bounds of the ids of chats that began in the range, in any time zone: ids sort by time. */
export function chatIdsOf({ from, to }: ReportRange): [first: string, last: string] {
  const firstId = idAt('cht', new Date(Math.max(0, Date.parse(from) - DAY_MS)));
  return [firstId, idAt('cht', new Date(Date.parse(to) + 3 * DAY_MS))];
}

/** When the range begins and ends. The database gets only instants, because it may not know the time zone. */
export function limitsOf({ from, to, timeZone }: ReportRange): [begins: Date, ends: Date] {
  const limits = dayLimits(timeZone, from, to);
  return [limits[0]!, limits.at(-1)!];
}

/** Collects the values of a report's statement. */
export class ReportValues {
  constructor(readonly list: unknown[]) {}

  /** The parameter with this value. */
  readonly add = (value: unknown): string => `$${this.list.push(value)}`;

  /** SQL: that a chat has the tags and attributes of the report, to follow other conditions. */
  tagged({ tags, attributes }: ReportRange): (chatId: string) => string {
    const all = attributes && { ...attributes, isRare: false };
    return (chatId) => {
      const ofTags = tags === undefined ? '' : `AND ${sqlHasTagsOfAll(tags, chatId, this.add)}`;
      return all === undefined ? ofTags : `${ofTags} AND ${sqlHasAttributes(all, withVisitor(chatId), this.add)}`;
    };
  }
}

/** SQL: when the agent who got the chat wrote first; null if the agent didn't. @param handoff its alias; `$1` is the organization */
export const firstReplyAt = (handoff: string) => `
  COALESCE(${handoff}.first_reply_at, (
    SELECT c.agent_replied_at FROM chats c
    WHERE c.organization_id = $1 AND c.id = ${handoff}.chat_id AND c.agent_id = ${handoff}.agent_id
      AND c.agent_replied_at >= ${handoff}.ended_at AND NOT EXISTS (
        SELECT FROM handoffs later
        WHERE later.organization_id = $1 AND later.chat_id = ${handoff}.chat_id AND later.id > ${handoff}.id
          AND ${isStay('later')})))`;
