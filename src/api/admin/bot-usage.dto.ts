import { ApiProperty } from '@nestjs/swagger';
import type { UsageDay } from '../../bot-connections/turns/usage.queries.js';
import { Day } from '../../platform/validation/validators.js';

export class UsageQuery {
  @Day({ optional: true, example: '2026-01-01', description: 'The first day, in UTC' })
  from?: string;

  @Day({ optional: true, example: '2026-01-31', description: 'The last day, which is included' })
  to?: string;
}

class UsageDayResponse implements UsageDay {
  @ApiProperty({ type: String, format: 'date' })
  day!: string;

  @ApiProperty({ type: 'integer', description: 'How many turns ended' })
  turns!: number;

  @ApiProperty({ type: 'integer' })
  failed!: number;

  @ApiProperty({ type: 'integer', description: 'Without the failed ones' })
  handedOver!: number;

  @ApiProperty({ type: 'integer' })
  inputTokens!: number;

  @ApiProperty({ type: 'integer' })
  outputTokens!: number;
}

export class BotUsageResponse {
  @ApiProperty({ type: [UsageDayResponse] })
  days!: UsageDayResponse[];
}
