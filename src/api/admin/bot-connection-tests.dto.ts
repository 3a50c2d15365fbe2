import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsOptional, ValidateNested } from 'class-validator';
import type { TestResult } from '../../bot-connections/engine/connection-tests.service.js';
import { FAILURE_CODES, type FailureCode } from '../../bot-connections/model/turn.js';
import { Text } from '../../platform/validation/validators.js';
import { PutConnectionDto } from './bot-connections.dto.js';
import { UsageResponse } from './bot-turns.dto.js';
import { TextOrNull } from './response-fields.js';

const MAX_MESSAGE = 5_000;

/** The body of `POST …/connection/test`. */
export class TestConnectionDto {
  @Text(1, MAX_MESSAGE, { optional: true, description: 'What the visitor says. Default: `Hello`' })
  message?: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => PutConnectionDto)
  @ApiPropertyOptional({
    type: () => PutConnectionDto,
    description: 'Tried without being saved, with the saved secrets as for PUT. Omitted: the saved connection',
  })
  connection?: PutConnectionDto;
}

class TestErrorResponse {
  @ApiProperty({ enum: [...FAILURE_CODES] })
  code!: FailureCode;

  @ApiProperty({ description: 'At most 300 characters, without secrets' })
  detail!: string;
}

const COUNT_OR_NULL = { type: 'integer', nullable: true } as const;

/** What became of a test. */
export class ConnectionTestResponse implements TestResult {
  @ApiProperty()
  ok!: boolean;

  @ApiProperty({ description: 'What it said; before an error, the part that came' })
  text!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'How many of each event came',
  })
  events!: Record<string, number>;

  @ApiProperty(COUNT_OR_NULL)
  firstTokenMs!: number | null;

  @ApiProperty({ type: 'integer' })
  durationMs!: number;

  @ApiProperty({ type: () => UsageResponse, nullable: true })
  usage!: UsageResponse | null;

  @TextOrNull()
  protocolVersion!: string | null;

  @ApiProperty({ type: [String] })
  warnings!: string[];

  @ApiProperty({ type: () => TestErrorResponse, nullable: true })
  error!: TestErrorResponse | null;
}
