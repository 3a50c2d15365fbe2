import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { Sized, sizeOfText } from '../../platform/validation/body-size.js';
import { Check, findTimeFault, MAX_TIME_LENGTH, Name, SomeOf } from '../../platform/validation/validators.js';
import { type Scope, SCOPES } from '../../auth/bots/scope.js';
import type { AccessToken } from '../../auth/bots/access-token.entity.js';
import { NextCursor, TextOrNull, Time } from './response-fields.js';

function findExpiryFault(value: unknown): string | null {
  return findTimeFault(value) ?? (Date.parse(value as string) > Date.now() ? null : 'must be in the future');
}

/** When a token expires; omitted: never. */
export function ExpiresAt(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Check('time', findExpiryFault),
    Sized(sizeOfText(MAX_TIME_LENGTH)),
    ApiPropertyOptional({ type: String, format: 'date-time', description: 'Omitted: never' }),
  );
}

export class CreateAccessTokenDto {
  @Name(200, { optional: true })
  name?: string;

  @ExpiresAt()
  expiresAt?: string;

  @SomeOf(SCOPES, {
    description:
      'What the token may do. Omitted: everything besides `search` and `search:all`, even what later releases add',
  })
  scopes?: Scope[];
}

export class AccessTokenResponse {
  @ApiProperty({ example: 'tok_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @TextOrNull()
  name!: string | null;

  @ApiProperty({ description: 'The last characters of the token' })
  lastFour!: string;

  @ApiProperty({
    enum: [...SCOPES],
    isArray: true,
    nullable: true,
    description: 'Null: everything besides `search` and `search:all`',
  })
  scopes!: Scope[] | null;

  @Time({ nullable: true })
  expiresAt!: Date | null;

  @Time()
  createdAt!: Date;

  @Time({ nullable: true, description: 'Exact to some seconds' })
  lastUsedAt!: Date | null;
}

export class NewAccessTokenResponse extends AccessTokenResponse {
  @ApiProperty({ description: 'The token. It is returned only this once' })
  token!: string;
}

export class AccessTokensResponse {
  @ApiProperty({ type: () => [AccessTokenResponse] })
  tokens!: AccessTokenResponse[];

  @NextCursor()
  nextCursor!: string | null;
}

export function toAccessTokenResponse({
  id,
  name,
  lastFour,
  scopes,
  expiresAt,
  createdAt,
  lastUsedAt,
}: AccessToken): AccessTokenResponse {
  return { id, name, lastFour, scopes, expiresAt, createdAt, lastUsedAt };
}
