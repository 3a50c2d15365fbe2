import { IsOptional } from 'class-validator';
import { Check, Text } from '../common/validators.js';
import type { AccessToken } from './access-token.entity.js';

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

function findTimeFault(value: unknown): string | null {
  if (typeof value !== 'string' || !isTime(value)) return 'must be a time like 2026-01-15T08:30:00.000Z';
  return Date.parse(value) > Date.now() ? null : 'must be in the future';
}

// 30 February is read as 2 March: a day must come back as it was written.
function isTime(text: string): boolean {
  const day = text.slice(0, 10);
  return RFC3339.test(text) && !Number.isNaN(Date.parse(text)) && new Date(day).toISOString().startsWith(day);
}

export class CreateAccessTokenDto {
  @Text(1, 200, { optional: true })
  name?: string;

  /** When it stops being valid; omitted: never. */
  @IsOptional()
  @Check('time', findTimeFault)
  expiresAt?: string;
}

export function toAccessTokenResponse({ id, name, lastFour, expiresAt, createdAt, lastUsedAt }: AccessToken) {
  return { id, name, lastFour, expiresAt, createdAt, lastUsedAt };
}
