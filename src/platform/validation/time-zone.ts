import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { findTimeZone } from '../locale/time-zone.js';
import { sizeOfText, Sized } from './body-size.js';
import { Check, type FieldOptions, findTextFault } from './validators.js';

const MAX_TIME_ZONE_LENGTH = 64;

/** An IANA time zone, such as Europe/Berlin. Offsets are rejected, because they have no summer time. */
export function TimeZone({ optional, ...described }: FieldOptions = {}): PropertyDecorator {
  const schema = { type: String, maxLength: MAX_TIME_ZONE_LENGTH, example: 'Europe/Berlin', ...described } as const;
  return applyDecorators(
    ...(optional ? [IsOptional(), ApiPropertyOptional(schema)] : [ApiProperty(schema)]),
    Check('timeZone', findTimeZoneFault),
    Sized(sizeOfText(MAX_TIME_ZONE_LENGTH)),
  );
}

/** Why a value isn't an IANA time zone; null if it is. */
export function findTimeZoneFault(value: unknown): string | null {
  const fault = findTextFault(value, 1, MAX_TIME_ZONE_LENGTH);
  if (fault) return fault;
  return findTimeZone(value as string) === null ? 'must be an IANA time zone like Europe/Berlin' : null;
}
