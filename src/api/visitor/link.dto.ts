import { ApiProperty } from '@nestjs/swagger';
import { Text } from '../../platform/validation/validators.js';

const MAX_TOKEN = 320;

export class VisitorLinkDto {
  @Text(1, MAX_TOKEN)
  token!: string;
}

class LinkOrganizationResponse {
  @ApiProperty()
  name!: string;

  @ApiProperty({ description: 'The page shows the chat with it' })
  widgetKey!: string;
}

class LinkVisitorResponse {
  @ApiProperty({ type: String, nullable: true })
  name!: string | null;
}

/** Where a link leads. */
export class VisitorLinkResponse {
  @ApiProperty({ type: () => LinkOrganizationResponse })
  organization!: LinkOrganizationResponse;

  @ApiProperty({ type: () => LinkVisitorResponse })
  visitor!: LinkVisitorResponse;

  @ApiProperty({ type: String, format: 'date-time', description: 'When the chat began' })
  startedAt!: Date;

  @ApiProperty({ description: 'Whether the organization allows its chat on the page that asks' })
  canContinue!: boolean;
}
