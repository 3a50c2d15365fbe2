import { ApiProperty } from '@nestjs/swagger';
import type { BotIdentity } from '../../auth/bots/access-tokens.queries.js';
import { type Scope, SCOPES, UNNAMED_SCOPES } from '../../auth/bots/scope.js';
import { NamedResponse } from '../../platform/http/responses/problem.dto.js';

class OwnOrganizationResponse extends NamedResponse {
  @ApiProperty({ description: 'The public key of the website chat' })
  widgetKey!: string;
}

/** The bot that a token belongs to (CONTRACT: Bot API). */
export class MeResponse {
  @ApiProperty({ example: 'bot_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ type: () => OwnOrganizationResponse })
  organization!: OwnOrganizationResponse;

  @ApiProperty({ enum: [...SCOPES], isArray: true, description: 'What the token may do' })
  scopes!: readonly Scope[];

  @ApiProperty({ description: 'Whether the bot may only act in chats that it has' })
  onlyOwnChats!: boolean;
}

export function toMe(
  { botId, name, scopes, onlyOwnChats }: BotIdentity,
  organization: OwnOrganizationResponse,
): MeResponse {
  return {
    id: botId,
    name,
    organization: { id: organization.id, name: organization.name, widgetKey: organization.widgetKey },
    scopes: scopes ?? UNNAMED_SCOPES,
    onlyOwnChats,
  };
}
