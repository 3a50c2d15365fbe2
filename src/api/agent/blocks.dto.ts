import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import type { GivenBlock } from '../../inbox/views/visitor-blocks.service.js';
import { NamedResponse } from '../../platform/http/responses/problem.dto.js';
import { Sized, sizeOfBytes } from '../../platform/validation/body-size.js';
import { Check, findTimeFault, MAX_TIME_LENGTH, Text } from '../../platform/validation/validators.js';
import type { VisitorBlock } from '../../visitors/visitor-blocks.queries.js';

function findFutureFault(value: unknown): string | null {
  const fault = findTimeFault(value);
  if (fault) return fault;
  return Date.parse(value as string) > Date.now() ? null : 'must be in the future';
}

function FutureTime(description: string): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Check('futureTime', findFutureFault),
    Sized(sizeOfBytes(MAX_TIME_LENGTH)),
    ApiPropertyOptional({ type: String, format: 'date-time', description }),
  );
}

/** The body of `PUT …/block`. */
export class BlockDto {
  @FutureTime('Omitted: until an agent unblocks the visitor')
  until?: string;

  @Text(1, 500, { optional: true, description: 'For agents. The visitor never sees it' })
  reason?: string;
}

export function toGivenBlock({ until, reason }: BlockDto): GivenBlock {
  return { until: until ? new Date(until) : null, reason: reason ?? null };
}

export class VisitorBlockResponse implements VisitorBlock {
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Null: until an agent unblocks them' })
  until!: string | null;

  @ApiProperty({ type: String, nullable: true })
  reason!: string | null;

  @ApiProperty({ type: () => NamedResponse, description: 'The agent who blocked the visitor' })
  by!: NamedResponse;

  @ApiProperty({ type: String, format: 'date-time' })
  blockedAt!: string;
}

export class BlockResponse {
  @ApiProperty({ type: () => VisitorBlockResponse })
  block!: VisitorBlockResponse;
}
