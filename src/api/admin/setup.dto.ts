import { ApiProperty } from '@nestjs/swagger';
import type { Setup } from '../../organizations/setup.service.js';

class WidgetSightingResponse {
  @ApiProperty({ type: String, format: 'date-time', description: 'Exact to about a minute' })
  seenAt!: string;

  @ApiProperty({ example: 'https://example.com' })
  origin!: string;
}

export class SetupResponse implements Setup {
  @ApiProperty({
    type: () => WidgetSightingResponse,
    nullable: true,
    description: 'The last page that loaded the widget',
  })
  widget!: WidgetSightingResponse | null;

  @ApiProperty({ description: 'Whether there is more than one enabled agent' })
  hasInvited!: boolean;

  @ApiProperty({ description: 'Whether more than one of them has signed in' })
  hasColleague!: boolean;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When a bot used its token, or a connected one answered, last',
  })
  botUsedAt!: string | null;

  @ApiProperty({ description: 'Whether an agent has written to a visitor' })
  hasAnswered!: boolean;
}
