import { Get } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { type Setup, SetupService } from '../../organizations/setup.service.js';
import { Describes } from '../describes.js';
import { AdminApi } from './admin-api.decorator.js';
import { Organization } from './organization.pipe.js';

class WidgetSightingResponse {
  @ApiProperty({ type: String, format: 'date-time', description: 'Exact to about a minute' })
  seenAt!: string;

  @ApiProperty({ example: 'https://example.com' })
  origin!: string;
}

class SetupResponse implements Setup {
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

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: "When a bot's token was used last" })
  botUsedAt!: string | null;

  @ApiProperty({ description: 'Whether an agent has written to a visitor' })
  hasAnswered!: boolean;
}

/** What is set up already, for the first administrator of an organization (CONTRACT section 5). */
@AdminApi('/:organizationId/setup', 'Organizations')
export class SetupController {
  constructor(private readonly setup: SetupService) {}

  @Get()
  @Describes('getSetup', 200, SetupResponse, {
    summary: 'Get what is set up already',
    description: 'For a checklist of the first administrator.',
    problems: ['not_found'],
  })
  get(@Organization() organizationId: string): Promise<Setup> {
    return this.setup.get(organizationId);
  }
}
