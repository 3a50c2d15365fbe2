import { ApiProperty } from '@nestjs/swagger';
import type { AgentReport } from '../../inbox/reports/agent-report.queries.js';
import type { ReportedRating } from '../../inbox/reports/rating-report.queries.js';
import type { ReportDay } from '../../inbox/reports/reports.queries.js';
import type { Report } from '../../inbox/reports/reports.service.js';
import { NamedResponse } from '../../platform/http/responses/problem.dto.js';
import { ByteOrderMark } from '../../platform/validation/byte-order-mark.js';
import type { Position } from '../../platform/lib/cursor.js';
import { TimeZone } from '../../platform/validation/time-zone.js';
import type { GivenParameter } from '../../platform/validation/validation-rules.js';
import { AttributeFilters, toAskedAttributes } from '../attribute-filters.dto.js';
import { TagFilters } from '../chat-changes.dto.js';
import { Check, Cursor, Day, OneOf, PositionCursor, QueryInteger, Text } from '../../platform/validation/validators.js';

/** The most days of a report. */
const MAX_DAYS = 366;
const DAY_MS = 86_400_000;

// An invalid day is reported by its own check.
function findRangeFault(_: unknown, query: object): string | null {
  const { from, to } = query as ReportQuery;
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) return 'must not be before from';
  return days > MAX_DAYS ? `must be at most ${MAX_DAYS} days from from, both included` : null;
}

export class ReportQuery {
  @Day({ example: '2026-01-01', description: 'The first day' })
  from!: string;

  @Day({ example: '2026-01-31', description: 'The last day, which is included' })
  @Check('range', findRangeFault)
  to!: string;

  @Text(1, 64, { optional: true, description: 'Only chats and hand-offs of this group' })
  groupId?: string;

  @TagFilters()
  tag?: string[];

  @AttributeFilters()
  attributes?: GivenParameter[];

  @TimeZone({ optional: true, description: 'The time zone of the days; omitted: the organization’s' })
  timeZone?: string;
}

/** The range that a query asks for. */
export const toAskedRange = <Q extends ReportQuery>({ attributes, ...query }: Q) => ({
  ...query,
  attributes: toAskedAttributes(attributes),
});

/** The most agents, or ratings, of a page. */
const MAX_PAGE = 50;

export class AgentReportQuery extends ReportQuery {
  @QueryInteger(1, MAX_PAGE, { default: MAX_PAGE, description: 'The most agents in the response' })
  limit: number = MAX_PAGE;

  @Cursor()
  cursor?: string;
}

export class RatingReportQuery extends ReportQuery {
  @Text(1, 64, { optional: true, description: 'Only chats that this agent had last' })
  agentId?: string;

  @OneOf(['true'], { optional: true, description: 'Only ratings with a comment' })
  comment?: 'true';

  @QueryInteger(1, MAX_PAGE, { default: MAX_PAGE, description: 'The most ratings in the response' })
  limit: number = MAX_PAGE;

  @PositionCursor()
  cursor?: Position;
}

export class ChatExportQuery extends ReportQuery {
  @ByteOrderMark()
  bom?: 'true';
}

class ReportDayResponse implements ReportDay {
  @ApiProperty({ type: String, format: 'date' })
  day!: string;

  @ApiProperty({ type: 'integer', description: 'Chats that began' })
  created!: number;

  @ApiProperty({ type: 'integer', description: 'Stays in the queue that began' })
  handoffs!: number;

  @ApiProperty({ type: 'integer', description: 'Of these hand-offs: an agent got the chat' })
  assigned!: number;

  @ApiProperty({ type: 'integer', description: 'Of these hand-offs: the agent who got the chat wrote' })
  replied!: number;

  @ApiProperty({ type: 'integer', description: 'Of these hand-offs: no agent got the chat in time' })
  unanswered!: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Of these hand-offs: from queuing to the assignment' })
  medianWaitSeconds!: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Of these hand-offs: from queuing to the agent’s first message',
  })
  medianFirstReplySeconds!: number | null;

  @ApiProperty({ type: 'integer', description: 'Chats that ended and weren’t reopened' })
  closed!: number;

  @ApiProperty({ type: 'integer', description: 'Chats that visitors rated' })
  rated!: number;

  @ApiProperty({ type: 'integer', description: 'Of these: no agent had the chat' })
  ratedWithoutAgent!: number;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Of the rated chats: the mean of the scores, 1 to 5, to two decimals',
  })
  averageScore!: number | null;
}

export class ReportResponse implements Report {
  @ApiProperty({ type: () => [ReportDayResponse], description: 'One for each day, in order' })
  days!: ReportDayResponse[];

  @ApiProperty({ example: 'Europe/Berlin', description: 'The time zone of the days' })
  timeZone!: string;
}

class AgentReportRowResponse implements AgentReport {
  @ApiProperty({ example: 'agt_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty()
  isEnabled!: boolean;

  @ApiProperty({ type: 'integer', description: 'Chats where the agent wrote' })
  chats!: number;

  @ApiProperty({ type: 'integer', description: 'Messages that the agent wrote' })
  replies!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Stays in the queue that began, and that the agent ended by getting the chat',
  })
  assigned!: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Of these stays: from queuing to the agent’s first message',
  })
  medianFirstReplySeconds!: number | null;

  @ApiProperty({ type: 'integer', description: 'Rated chats that the agent had last' })
  rated!: number;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Of these: the mean of the scores, 1 to 5, to two decimals',
  })
  averageScore!: number | null;
}

export class AgentReportResponse {
  @ApiProperty({ type: () => [AgentReportRowResponse], description: 'Ordered by id' })
  agents!: AgentReportRowResponse[];

  @ApiProperty({ type: String, nullable: true, description: 'Ask for the next page with it; null at the end' })
  nextCursor!: string | null;

  @ApiProperty({ example: 'Europe/Berlin', description: 'The time zone of the days' })
  timeZone!: string;
}

class RatedVisitorResponse {
  @ApiProperty({ example: 'vis_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ type: String, nullable: true })
  name!: string | null;
}

class ReportedRatingResponse implements ReportedRating {
  @ApiProperty({ example: 'cht_01h455vb4pex5vsknk084sn02q' })
  chatId!: string;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 5, description: '5 is the best' })
  score!: number;

  @ApiProperty({ type: String, nullable: true })
  comment!: string | null;

  @ApiProperty({ type: String, format: 'date-time', description: 'When it was first given' })
  ratedAt!: Date;

  @ApiProperty({ type: () => RatedVisitorResponse })
  visitor!: RatedVisitorResponse;

  @ApiProperty({ type: () => NamedResponse, nullable: true, description: 'The agent who had the chat last' })
  agent!: NamedResponse | null;

  @ApiProperty({ type: () => NamedResponse })
  group!: NamedResponse;
}

export class RatingReportResponse {
  @ApiProperty({ type: () => [ReportedRatingResponse], description: 'Newest first' })
  ratings!: ReportedRatingResponse[];

  @ApiProperty({ type: String, nullable: true, description: 'Ask for the next page with it; null at the end' })
  nextCursor!: string | null;

  @ApiProperty({ example: 'Europe/Berlin', description: 'The time zone of the days' })
  timeZone!: string;
}
