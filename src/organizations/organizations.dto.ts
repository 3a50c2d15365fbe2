import { ArrayMaxSize, IsArray, IsOptional } from 'class-validator';
import { Check, Text } from '../common/validators.js';
import type { Organization } from './organization.entity.js';

const MAX_ORIGINS = 100;

function findOriginsFault(origins: unknown): string | null {
  if (!Array.isArray(origins)) return 'must be an array';
  const wrong = origins.findIndex((origin) => !isOrigin(origin));
  return wrong < 0 ? null : `/${wrong} must be an origin like https://example.com`;
}

function isOrigin(text: unknown): boolean {
  return typeof text === 'string' && /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

export class CreateOrganizationDto {
  @Text(1, 200)
  name!: string;

  /** Web origins that may embed the chat; empty = any. */
  @IsOptional()
  @Check('origins', findOriginsFault)
  @IsArray({ message: 'must be an array' })
  @ArrayMaxSize(MAX_ORIGINS, { message: `must have at most ${MAX_ORIGINS} entries` })
  allowedOrigins?: string[];
}

export class UpdateOrganizationDto {
  @Text(1, 200, { optional: true })
  name?: string;

  @IsOptional()
  @Check('origins', findOriginsFault)
  @IsArray({ message: 'must be an array' })
  @ArrayMaxSize(MAX_ORIGINS, { message: `must have at most ${MAX_ORIGINS} entries` })
  allowedOrigins?: string[];
}

export function toOrganizationResponse({ id, name, widgetKey, allowedOrigins, createdAt }: Organization) {
  return { id, name, widgetKey, allowedOrigins, createdAt };
}
