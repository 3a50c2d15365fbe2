import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import {
  findHoursFault,
  type GivenHours,
  type HoursException,
  type HoursRange,
  MAX_EXCEPTIONS,
  MAX_RANGES,
  type OfficeHours,
  type Weekday,
  WEEKDAYS,
} from '../../organizations/office-hours.js';
import { Sized, sizeOfJson } from '../../platform/validation/body-size.js';
import { type Shape, Shaped } from '../../platform/validation/misspelt.js';
import { findTimeZoneFault } from '../../platform/validation/time-zone.js';
import { JsonValue, Nullable } from '../../platform/validation/validation-rules.js';
import { Check } from '../../platform/validation/validators.js';

/** More than the JSON of the most ranges and exceptions. */
const MAX_BYTES = 20_480;

class HoursRangeResponse implements HoursRange {
  @ApiProperty({ example: '09:00' })
  from!: string;

  @ApiProperty({ example: '17:00', description: 'Up to `24:00`. Not later than `from`: on the next day' })
  to!: string;
}

class HoursExceptionResponse implements HoursException {
  @ApiProperty({ type: String, format: 'date', example: '2026-12-24' })
  date!: string;

  @ApiProperty({ type: () => [HoursRangeResponse], maxItems: MAX_RANGES, description: 'Empty: closed' })
  ranges!: HoursRangeResponse[];
}

const RANGES = { type: 'array' as const, maxItems: MAX_RANGES, items: { $ref: getSchemaPath(HoursRangeResponse) } };

const weekSchema = (required: Weekday[]) => ({
  type: 'object' as const,
  properties: Object.fromEntries(WEEKDAYS.map((day) => [day, RANGES])),
  ...(required.length > 0 && { required, selfRequired: true }),
  additionalProperties: false,
  description: 'The ranges that begin on each day',
});

/** When people answer. */
export class OfficeHoursResponse implements OfficeHours {
  @ApiProperty({ example: 'Europe/Berlin', description: 'The IANA time zone of all times' })
  timeZone!: string;

  @ApiProperty(weekSchema([...WEEKDAYS]))
  week!: Record<Weekday, HoursRangeResponse[]>;

  @ApiProperty({
    type: () => [HoursExceptionResponse],
    maxItems: MAX_EXCEPTIONS,
    description: 'What holds on a date instead of its weekday',
  })
  exceptions!: HoursExceptionResponse[];
}

/** Office hours in a request. */
class OfficeHoursDto implements GivenHours {
  @ApiProperty({ example: 'Europe/Berlin' })
  timeZone!: string;

  @ApiProperty({ ...weekSchema([]), description: 'The ranges that begin on each day; an omitted day is closed' })
  week!: Partial<Record<Weekday, HoursRangeResponse[]>>;

  @ApiPropertyOptional({ type: () => [HoursExceptionResponse], maxItems: MAX_EXCEPTIONS })
  exceptions?: HoursExceptionResponse[];
}

const RANGE_SHAPE: Shape = { from: null, to: null };
const HOURS_SHAPE: Shape = {
  timeZone: null,
  week: Object.fromEntries(WEEKDAYS.map((day) => [day, RANGE_SHAPE])),
  exceptions: { date: null, ranges: RANGE_SHAPE },
};

/** Office hours in a request, or null. */
export function OfficeHoursField(description: string): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Nullable(),
    JsonValue(),
    Shaped(HOURS_SHAPE),
    Sized(sizeOfJson(MAX_BYTES)),
    Check('officeHours', (value) => (value === null ? null : findFault(value))),
    ApiPropertyOptional({ type: () => OfficeHoursDto, nullable: true, description }),
  );
}

function findFault(value: unknown): string | null {
  const fault = findHoursFault(value);
  if (fault) return fault;
  const zone = findTimeZoneFault((value as { timeZone?: unknown }).timeZone);
  return zone && `/timeZone ${zone}`;
}
