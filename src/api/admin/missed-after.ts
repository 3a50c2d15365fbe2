import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { SCALAR, Sized } from '../../platform/validation/body-size.js';
import { Check } from '../../platform/validation/validators.js';

const MIN_SECONDS = 60;
const MAX_SECONDS = 86_400;

/** Seconds until a mail about a missed answer; 0: never. */
export function MissedAfterSeconds(description: string): PropertyDecorator {
  const isValid = (value: unknown) =>
    value === 0 || (Number.isInteger(value) && (value as number) >= MIN_SECONDS && (value as number) <= MAX_SECONDS);
  return applyDecorators(
    IsOptional(),
    Sized(SCALAR),
    Check('missedAfter', (value) =>
      isValid(value) ? null : `must be 0, or an integer from ${MIN_SECONDS} to ${MAX_SECONDS}`,
    ),
    ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_SECONDS, description }),
  );
}
