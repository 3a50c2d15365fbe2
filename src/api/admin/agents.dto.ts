import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, isEmail, IsOptional } from 'class-validator';
import { MAX_ID_LENGTH } from '../../platform/lib/ids.js';
import type { AgentRow } from '../../agents/agents.queries.js';
import type { AgentChange, NewAgent } from '../../agents/agents.service.js';
import { type Role, ROLES } from '../../agents/role.js';
import { Sized, sizeOfList, sizeOfText } from '../../platform/validation/body-size.js';
import { Check, findTextFault, Name, OneOf, WholeNumber } from '../../platform/validation/validators.js';
import { PictureUrl } from '../picture-url.js';
import { NextCursor, TextOrNull, Time } from './response-fields.js';

const MAX_GROUPS = 100;
/** The longest email address (RFC 5321), in characters. */
export const MAX_EMAIL_LENGTH = 254;

// Checks the text first: isEmail throws on a lone surrogate, and is slow on long texts.
export function findEmailFault(value: unknown): string | null {
  return findTextFault(value, 1, MAX_EMAIL_LENGTH) ?? (isEmail(value) ? null : 'must be an email address');
}

function findGroupIdsFault(value: unknown): string | null {
  if (!Array.isArray(value) || value.length > MAX_GROUPS) return `must be an array of at most ${MAX_GROUPS} group IDs`;
  if (new Set(value).size < value.length) return 'must not contain the same group ID twice';
  return value.every((id) => findTextFault(id, 1, MAX_ID_LENGTH) === null) ? null : 'must be an array of group IDs';
}

class AgentFieldsDto {
  @IsOptional()
  @Check('groupIds', findGroupIdsFault)
  @Sized(sizeOfList(MAX_GROUPS, sizeOfText(MAX_ID_LENGTH)))
  @ApiPropertyOptional({ type: [String], maxItems: MAX_GROUPS, uniqueItems: true })
  groupIds?: string[];

  @OneOf(ROLES, { optional: true, description: 'A new agent: `AGENT`' })
  role?: Role;

  @WholeNumber(1, 100, { optional: true, description: 'The most chats that routing assigns. A new agent: 6' })
  capacity?: number;

  @IsOptional()
  @IsBoolean({ message: 'must be a boolean' })
  @ApiPropertyOptional({ type: Boolean })
  isEnabled?: boolean;

  @PictureUrl()
  avatarUrl?: string | null;
}

export class CreateAgentDto extends AgentFieldsDto implements NewAgent {
  @Name(200)
  name!: string;

  @Check('email', findEmailFault)
  @Sized(sizeOfText(MAX_EMAIL_LENGTH))
  @ApiProperty({ format: 'email', maxLength: MAX_EMAIL_LENGTH })
  email!: string;
}

export class UpdateAgentDto extends AgentFieldsDto implements AgentChange {
  @Name(200, { optional: true })
  name?: string;

  @IsOptional()
  @Check('email', findEmailFault)
  @Sized(sizeOfText(MAX_EMAIL_LENGTH))
  @ApiPropertyOptional({ format: 'email', maxLength: MAX_EMAIL_LENGTH })
  email?: string;
}

export class AgentResponse implements AgentRow {
  @ApiProperty({ example: 'agt_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty()
  email!: string;

  @ApiProperty({ enum: [...ROLES] })
  role!: Role;

  @ApiProperty({ type: 'integer', description: 'The most chats that routing assigns to the agent at the same time' })
  capacity!: number;

  @ApiProperty()
  isEnabled!: boolean;

  @TextOrNull()
  avatarUrl!: string | null;

  @ApiProperty({ type: [String] })
  groupIds!: string[];

  @Time()
  createdAt!: Date;
}

export class AgentsResponse {
  @ApiProperty({ type: () => [AgentResponse] })
  agents!: AgentResponse[];

  @NextCursor()
  nextCursor!: string | null;
}

export class CreateSignInLinkDto {
  @IsOptional()
  @IsBoolean({ message: 'must be a boolean' })
  @ApiPropertyOptional({ type: Boolean, description: 'Whether the link is mailed to the agent; omitted: false' })
  send?: boolean;
}

export class SignInLinkResponse {
  @ApiProperty({ example: 'lnk_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ description: 'Works once. It is returned only now' })
  url!: string;

  @Time()
  expiresAt!: Date;
}
