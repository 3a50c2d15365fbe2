import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { PAUSE_REASONS, type PauseReason } from '../../agents/pause-reason.js';
import type { Presence } from '../../agents/presence.queries.js';
import { type Role, ROLES } from '../../agents/role.js';
import { NamedResponse } from '../../platform/http/responses/problem.dto.js';
import { Sized, sizeOfText } from '../../platform/validation/body-size.js';
import { Check, hasAtMost, Name, OneOf, Text } from '../../platform/validation/validators.js';
import { IsBoolean, IsOptional } from 'class-validator';
import { PictureUrl } from '../picture-url.js';
import type { AgentIdentity, SessionRow } from '../../auth/agents/agent-sessions.queries.js';

const MODES = ['cookie', 'token'] as const;
/** The longest accepted email address, password and token, in characters. */
const MAX_EMAIL = 320;
const MAX_PASSWORD = 256;
const MAX_TOKEN = 320;
/** The fewest characters of a new password. */
const MIN_PASSWORD = 12;

// A text of any form, because a wrong one is a 401, not a 400.
function AnyText(max: number, isRequired = true): PropertyDecorator {
  const isText = (value: unknown) => typeof value === 'string' && value !== '' && hasAtMost(max, value);
  return applyDecorators(
    Check('anyText', (value) => (isText(value) ? null : `must be a string of 1 to ${max} characters`)),
    Sized(sizeOfText(max)),
    ApiProperty({ type: String, minLength: 1, maxLength: max, required: isRequired }),
  );
}

class SignInDto {
  @OneOf(MODES, {
    optional: true,
    description: 'Whether the session is set as a cookie, or returned as a token. Omitted: `cookie`',
  })
  mode: (typeof MODES)[number] = 'cookie';
}

export class PasswordSignInDto extends SignInDto {
  @AnyText(MAX_EMAIL)
  email!: string;

  @AnyText(MAX_PASSWORD)
  password!: string;

  @IsOptional()
  @AnyText(MAX_TOKEN, false)
  organizationId?: string;
}

export class PasswordResetDto {
  @AnyText(MAX_EMAIL)
  email!: string;
}

export class LinkSignInDto extends SignInDto {
  @AnyText(MAX_TOKEN)
  token!: string;

  @Text(MIN_PASSWORD, MAX_PASSWORD, { optional: true, description: 'A new password. Omitted: it stays as it is' })
  password?: string;
}

export class LinkDto {
  @AnyText(MAX_TOKEN)
  token!: string;
}

/** Whom a link signs in. */
export class LinkAgentResponse {
  @ApiProperty()
  name!: string;

  @ApiProperty()
  email!: string;

  @ApiProperty({ type: () => NamedResponse })
  organization!: NamedResponse;
}

export class ChangePasswordDto {
  /** Not needed if the agent has no password. */
  @IsOptional()
  @AnyText(MAX_PASSWORD, false)
  current?: string;

  @Text(MIN_PASSWORD, MAX_PASSWORD)
  password!: string;
}

const AWAY =
  'Whether the agent gets e-mails about chats that were assigned, and notes that mention them, while none of their pages is open';

export class UpdateProfileDto {
  @Name(200, { optional: true, description: 'As visitors and colleagues see it' })
  name?: string;

  @PictureUrl()
  avatarUrl?: string | null;

  @IsOptional()
  @IsBoolean({ message: 'must be a boolean' })
  @ApiPropertyOptional({ description: AWAY })
  mailWhenAway?: boolean;
}

class OwnProfileResponse extends NamedResponse {
  @ApiProperty()
  email!: string;

  @ApiProperty({ enum: [...ROLES] })
  role!: Role;

  @ApiProperty({ type: 'integer', description: 'The most chats that routing assigns at the same time' })
  capacity!: number;

  @ApiProperty({ type: String, nullable: true })
  avatarUrl!: string | null;

  @ApiProperty({ type: () => [NamedResponse] })
  groups!: NamedResponse[];

  @ApiProperty({ description: 'Whether routing may assign chats' })
  isAccepting!: boolean;

  @ApiProperty({ enum: ['ONLINE', 'PAUSED', 'OFFLINE'] })
  presence!: Presence;

  @ApiProperty({ enum: PAUSE_REASONS, nullable: true, description: 'Why the agent is paused' })
  pauseReason!: PauseReason | null;

  @ApiProperty()
  hasPassword!: boolean;

  @ApiProperty({ type: Boolean, nullable: true, description: `${AWAY}; null: this installation sends none` })
  mailWhenAway!: boolean | null;
}

export class SessionResponse {
  @ApiProperty({ type: () => OwnProfileResponse })
  agent!: OwnProfileResponse;

  @ApiProperty({ type: () => NamedResponse })
  organization!: NamedResponse;

  @ApiProperty({ type: String, format: 'date-time' })
  expiresAt!: Date;
}

export class NewSessionResponse extends SessionResponse {
  @ApiPropertyOptional({ description: 'With the mode `token`: `prl_ags_…`' })
  token?: string;
}

class OwnSessionResponse implements SessionRow {
  @ApiProperty()
  id!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: Date;

  @ApiProperty({ type: String, format: 'date-time', description: 'Exact to a minute' })
  lastUsedAt!: Date;

  @ApiProperty({ type: String, nullable: true })
  userAgent!: string | null;

  @ApiProperty({ description: 'Whether it is the session of this request' })
  isCurrent!: boolean;
}

export class SessionsResponse {
  @ApiProperty({ type: () => [OwnSessionResponse] })
  sessions!: OwnSessionResponse[];

  @ApiProperty({ type: String, nullable: true, description: 'Ask for the next page with it; null at the end' })
  nextCursor!: string | null;
}

/** A session as its agent sees it. */
export function toSessionResponse({ sessionId }: AgentIdentity) {
  return (row: SessionRow) => ({ ...row, isCurrent: row.id === sessionId });
}
