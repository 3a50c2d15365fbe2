import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import type { TurnFilter, TurnRow } from '../../bot-connections/connections/turns.queries.js';
import {
  FAILURE_CODES,
  type FailureCode,
  RUN_OUTCOMES,
  type RunOutcome,
  TURN_STATUSES,
  type TurnStatus,
  type Usage,
} from '../../bot-connections/model/turn.js';
import { MAX_ID_LENGTH } from '../../platform/lib/ids.js';
import { Sized, sizeOfText } from '../../platform/validation/body-size.js';
import { PageQuery } from '../../platform/validation/paging.js';
import { Check, findTimeFault, MAX_TIME_LENGTH, OneOf, Text } from '../../platform/validation/validators.js';
import { NextCursor, TextOrNull, Time } from './response-fields.js';

function QueryTime(description: string): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Check('time', findTimeFault),
    Sized(sizeOfText(MAX_TIME_LENGTH)),
    ApiPropertyOptional({ type: String, format: 'date-time', description }),
  );
}

export class TurnsQuery extends PageQuery {
  @Text(1, MAX_ID_LENGTH, { optional: true, description: 'Only of this chat' })
  chatId?: string;

  @OneOf(TURN_STATUSES, { optional: true })
  status?: TurnStatus;

  @QueryTime('Only turns from this time on')
  from?: string;

  @QueryTime('Only turns before this time')
  to?: string;
}

export function toTurnFilter({ chatId, status, from, to, cursor, limit }: TurnsQuery): TurnFilter {
  const timeOf = (text?: string) => (text === undefined ? undefined : new Date(text));
  return { chatId, status, from: timeOf(from), to: timeOf(to), before: cursor, limit };
}

/** Tokens, as the endpoint reports them. */
export class UsageResponse implements Usage {
  @ApiPropertyOptional({ type: 'integer' })
  inputTokens?: number;

  @ApiPropertyOptional({ type: 'integer' })
  outputTokens?: number;

  @ApiPropertyOptional({ type: 'integer' })
  cachedInputTokens?: number;

  @ApiPropertyOptional({ type: 'integer' })
  reasoningTokens?: number;
}

const USAGE = { type: () => UsageResponse, nullable: true, description: 'As the endpoint reports it' } as const;
const COUNT_OR_NULL = { type: 'integer', nullable: true } as const;

class RunResponse {
  @ApiProperty({ example: 'run_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ type: 'integer', description: 'The first, or one for each round of tool answers' })
  step!: number;

  @ApiProperty({ type: 'integer' })
  try!: number;

  @ApiProperty({ enum: [...RUN_OUTCOMES], nullable: true, description: 'Null while it is running' })
  outcome!: RunOutcome | null;

  @ApiProperty({ enum: [...FAILURE_CODES], nullable: true })
  code!: FailureCode | null;

  @TextOrNull({ description: 'At most 300 characters, without secrets' })
  detail!: string | null;

  @ApiProperty(COUNT_OR_NULL)
  httpStatus!: number | null;

  @TextOrNull()
  protocolVersion!: string | null;

  @Time()
  startedAt!: string;

  @ApiProperty(COUNT_OR_NULL)
  durationMs!: number | null;

  @ApiProperty(COUNT_OR_NULL)
  firstTokenMs!: number | null;

  @ApiProperty({ ...COUNT_OR_NULL, description: 'The size of the answer' })
  bytes!: number | null;

  @ApiProperty(USAGE)
  usage!: Usage | null;

  @ApiProperty({ type: [String] })
  warnings!: string[];
}

export class TurnResponse {
  @ApiProperty({ example: 'trn_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @TextOrNull({ description: 'Null: the chat was erased' })
  chatId!: string | null;

  @ApiProperty({ enum: [...TURN_STATUSES] })
  status!: TurnStatus;

  @ApiProperty({ enum: [...FAILURE_CODES], nullable: true, description: 'Why it has failed' })
  code!: FailureCode | null;

  @ApiProperty({ type: 'integer', description: "The first of the visitor's messages that it answers" })
  firstSeq!: number;

  @ApiProperty({ type: 'integer', description: 'The last one' })
  lastSeq!: number;

  @ApiProperty({ type: [String], description: 'The messages that it has stored' })
  messageIds!: string[];

  @Time()
  createdAt!: Date;

  @Time({ nullable: true })
  endedAt!: Date | null;

  @ApiProperty({ ...COUNT_OR_NULL, description: 'Milliseconds from its beginning to the first token' })
  firstTokenMs!: number | null;

  @ApiProperty(USAGE)
  usage!: Usage | null;

  @ApiProperty({ type: () => [RunResponse] })
  runs!: RunResponse[];
}

export class TurnsResponse {
  @ApiProperty({ type: () => [TurnResponse], description: 'Newest first' })
  turns!: TurnResponse[];

  @NextCursor()
  nextCursor!: string | null;
}

export function toTurnResponse(row: TurnRow): TurnResponse {
  const runs = row.runs.map((run) => ({ ...run, startedAt: new Date(run.startedAt).toISOString() }));
  return { ...row, runs };
}
