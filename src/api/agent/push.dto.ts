import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import { SCALAR, Sized, sizeOfJson, sizeOfList, sizeOfText } from '../../platform/validation/body-size.js';
import { Shaped } from '../../platform/validation/misspelt.js';
import { findTimeZoneFault } from '../../platform/validation/time-zone.js';
import { JsonValue, Nullable } from '../../platform/validation/validation-rules.js';
import { Check, Nested, Text } from '../../platform/validation/validators.js';
import { PUSH_KINDS, type PushKind } from '../../push/push-kind.js';
import type { PushSettings, PushSettingsChange, QuietHours } from '../../push/push-settings.js';
import type { BrowserSubscription } from '../../push/subscriptions.service.js';

const MAX_ENDPOINT = 2_048;
const MAX_KEY = 200;
const MAX_QUIET_HOURS_BYTES = 256;
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

class SubscriptionKeysDto {
  @Text(1, MAX_KEY, { description: "The browser's public key, in base64url" })
  p256dh!: string;

  @Text(1, MAX_KEY, { description: "The browser's authentication secret, in base64url" })
  auth!: string;
}

/** A browser's `PushSubscription` as JSON. */
export class PutSubscriptionDto implements BrowserSubscription {
  @Text(1, MAX_ENDPOINT, { description: 'The https address that the browser got from its push service' })
  endpoint!: string;

  @Nested(() => SubscriptionKeysDto)
  keys!: SubscriptionKeysDto;

  @IsOptional()
  @Nullable()
  @Check('expirationTime', (value) => (value === null || Number.isFinite(value) ? null : 'must be a number or null'))
  @Sized(SCALAR)
  @ApiPropertyOptional({ type: Number, nullable: true, description: 'Not used' })
  expirationTime?: number | null;

  @Text(2, 35, { optional: true, description: 'The language of notifications, `en` or `de`', example: 'de' })
  language: string = 'en';
}

export class EndpointDto {
  @Text(1, MAX_ENDPOINT)
  endpoint!: string;
}

class QuietHoursResponse implements QuietHours {
  @ApiProperty({ example: '22:00' })
  from!: string;

  @ApiProperty({ example: '07:00', description: 'Earlier than `from`: on the next day' })
  to!: string;

  @ApiProperty({ example: 'Europe/Berlin', description: 'The IANA time zone' })
  timeZone!: string;
}

const QUIET = 'When nothing is sent; null: never';
const KINDS = 'What you are notified about';
const SILENT = 'Whether notifications make no sound';

function QuietHoursField(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Nullable(),
    JsonValue(),
    Shaped({ from: null, to: null, timeZone: null }),
    Sized(sizeOfJson(MAX_QUIET_HOURS_BYTES)),
    Check('quietHours', (value) => (value === null ? null : findQuietHoursFault(value))),
    ApiPropertyOptional({ type: () => QuietHoursResponse, nullable: true, description: QUIET }),
  );
}

function KindsField(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Check('kinds', findKindsFault),
    Sized(sizeOfList(PUSH_KINDS.length, sizeOfText(20))),
    ApiPropertyOptional({ enum: [...PUSH_KINDS], isArray: true, uniqueItems: true, description: KINDS }),
  );
}

/** What the agent changes. Omitted fields stay as they are. */
export class ChangePushDto implements PushSettingsChange {
  @KindsField()
  kinds?: PushKind[];

  @QuietHoursField()
  quietHours?: QuietHours | null;

  @IsOptional()
  @IsBoolean({ message: 'must be a boolean' })
  @ApiPropertyOptional({ description: SILENT })
  isSilent?: boolean;
}

export class PushResponse implements PushSettings {
  @ApiProperty({ description: 'The `applicationServerKey` to subscribe with, in base64url' })
  publicKey!: string;

  @ApiProperty({ enum: [...PUSH_KINDS], isArray: true, description: KINDS })
  kinds!: readonly PushKind[];

  @ApiProperty({ type: () => QuietHoursResponse, nullable: true, description: QUIET })
  quietHours!: QuietHoursResponse | null;

  @ApiProperty({ description: SILENT })
  isSilent!: boolean;
}

function findKindsFault(value: unknown): string | null {
  const isList = Array.isArray(value) && value.every((kind) => PUSH_KINDS.includes(kind as PushKind));
  const isGood = isList && new Set(value).size === value.length;
  return isGood ? null : `must be an array of different ones of ${PUSH_KINDS.join(', ')}`;
}

function findQuietHoursFault(value: unknown): string | null {
  const form = 'must be {"from": "22:00", "to": "07:00", "timeZone": "Europe/Berlin"} or null';
  if (typeof value !== 'object' || value === null) return form;
  const { from, to, timeZone, ...rest } = value as Record<string, unknown>;
  const areTimes = [from, to].every((time) => typeof time === 'string' && TIME.test(time));
  if (!areTimes || Object.keys(rest).length > 0) return form;
  if (from === to) return 'must end at another time than it begins';
  const fault = findTimeZoneFault(timeZone);
  return fault && `timeZone ${fault}`;
}
