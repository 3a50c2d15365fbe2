import { ApiProperty } from '@nestjs/swagger';
import type { ReportDay, ReportRange } from '../../inbox/reports/reports.queries.js';
import type { Report } from '../../inbox/reports/reports.service.js';
import { Check, Day, Text } from '../../platform/validation/validators.js';

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

export class ReportQuery implements ReportRange {
  @Day({ example: '2026-01-01', description: 'The first day, in the organization’s time zone' })
  from!: string;

  @Day({ example: '2026-01-31', description: 'The last day, which is included' })
  @Check('range', findRangeFault)
  to!: string;

  @Text(1, 64, { optional: true, description: 'Only chats and hand-offs of this group' })
  groupId?: string;
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

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Of these: the mean of the scores, 1 to 5, to two decimals',
  })
  averageScore!: number | null;
}

export class ReportResponse implements Report {
  @ApiProperty({ type: () => [ReportDayResponse], description: 'One for each day, in order' })
  days!: ReportDayResponse[];

  @ApiProperty({ example: 'Europe/Berlin', description: 'The time zone of the days' })
  timeZone!: string;
}
