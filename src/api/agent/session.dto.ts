import { applyDecorators } from '@nestjs/common';
import { Sized, sizeOfText } from '../../platform/validation/body-size.js';
import { Check, hasAtMost, OneOf, Text } from '../../platform/validation/validators.js';
import { IsOptional } from 'class-validator';
import type { AgentIdentity, SessionRow } from '../../auth/agents/agent-sessions.queries.js';

const MODES = ['cookie', 'token'] as const;
/** The longest email address, password and token that are looked at, in characters. */
const MAX_EMAIL = 320;
const MAX_PASSWORD = 256;
const MAX_TOKEN = 320;
/** The fewest characters of a new password. */
const MIN_PASSWORD = 12;

// A text of any form: a wrong one is 401, not 400.
function AnyText(max: number): PropertyDecorator {
  const isText = (value: unknown) => typeof value === 'string' && value !== '' && hasAtMost(max, value);
  return applyDecorators(
    Check('anyText', (value) => (isText(value) ? null : `must be a string of 1 to ${max} characters`)),
    Sized(sizeOfText(max)),
  );
}

class SignInDto {
  /** Whether the session is kept in a cookie, or answered as a token. */
  @IsOptional()
  @OneOf(MODES)
  mode: (typeof MODES)[number] = 'cookie';
}

export class PasswordSignInDto extends SignInDto {
  @AnyText(MAX_EMAIL)
  email!: string;

  @AnyText(MAX_PASSWORD)
  password!: string;

  @IsOptional()
  @AnyText(MAX_TOKEN)
  organizationId?: string;
}

export class LinkSignInDto extends SignInDto {
  @AnyText(MAX_TOKEN)
  token!: string;

  /** The new password of the agent; omitted: it stays as it is. */
  @Text(MIN_PASSWORD, MAX_PASSWORD, { optional: true })
  password?: string;
}

export class ChangePasswordDto {
  /** Not needed while the agent has no password. */
  @IsOptional()
  @AnyText(MAX_PASSWORD)
  current?: string;

  @Text(MIN_PASSWORD, MAX_PASSWORD)
  password!: string;
}

/** A session as its agent sees it. */
export function toSessionResponse({ sessionId }: AgentIdentity) {
  return (row: SessionRow) => ({ ...row, isCurrent: row.id === sessionId });
}
