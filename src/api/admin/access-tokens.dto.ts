import { IsOptional } from 'class-validator';
import { Check, findTimeFault, Text } from '../../platform/http/validators.js';
import type { AccessToken } from '../../auth/access-token.entity.js';

function findExpiryFault(value: unknown): string | null {
  return findTimeFault(value) ?? (Date.parse(value as string) > Date.now() ? null : 'must be in the future');
}

export class CreateAccessTokenDto {
  @Text(1, 200, { optional: true })
  name?: string;

  /** When the token expires; omitted: never. */
  @IsOptional()
  @Check('time', findExpiryFault)
  expiresAt?: string;
}

export function toAccessTokenResponse({ id, name, lastFour, expiresAt, createdAt, lastUsedAt }: AccessToken) {
  return { id, name, lastFour, expiresAt, createdAt, lastUsedAt };
}
