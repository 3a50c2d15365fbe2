import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsObject, IsOptional, Max, Min, ValidateBy, ValidateNested } from 'class-validator';
import { SCALAR, Sized, sizeOfJson, sizeOfList, sizeOfText } from './body-size.js';
import { JsonValue, Nullable, Trimmed } from './validation-rules.js';
import { decodeCursor, decodePosition, decodeTextPosition } from '../lib/cursor.js';
import { findUnstorable, isJsonObject, isStorable, jsonOf, tooLong } from '../lib/json.js';

/** Maximum UTF-8 bytes of `JSON.stringify(metadata)` (CONTRACT: Conventions). */
export const MAX_METADATA_BYTES = 10_240;

export interface FieldOptions {
  optional?: boolean;
  /** Whether null is a value that removes what is stored; requires `optional`. */
  nullable?: boolean;
  description?: string;
  example?: unknown;
}

/** Whether a text has at most `max` Unicode code points. Counts them only if the length doesn't decide. */
export function hasAtMost(max: number, text: string): boolean {
  if (text.length <= max) return true;
  if (text.length > max * 2) return false;
  let count = 0;
  for (const _ of text) if (++count > max) return false;
  return true;
}

/** Describes why a text can't be stored unchanged; null when it can. Must run before other checks of the value. */
export function findTextFault(value: unknown, min: number, max: number): string | null {
  if (value === undefined) return 'is required';
  if (typeof value !== 'string') return 'must be a string';
  if (value.length < min || !hasAtMost(max, value)) return `must have ${min} to ${max} characters`;
  return isStorable(value) ? null : 'must not contain U+0000 or lone surrogates';
}

/** A check that returns the error text; null when the value is valid. */
export function Check(name: string, findFault: (value: unknown, object: object) => string | null): PropertyDecorator {
  // The message is read right after the check that failed, so the check doesn't run twice.
  let fault: string | null = null;
  return ValidateBy({
    name,
    validator: {
      validate: (value, args) => (fault = findFault(value, args?.object ?? {})) === null,
      defaultMessage: () => fault ?? '',
    },
  });
}

function documented(options: FieldOptions, schema: object): PropertyDecorator {
  const { optional, ...described } = options;
  const property = { ...described, ...schema } as ApiPropertyOptions;
  if (!optional) return ApiProperty(property);
  return applyDecorators(IsOptional(), ...(options.nullable ? [Nullable()] : []), ApiPropertyOptional(property));
}

/** Text of `min` to `max` characters (code points) that can be stored unchanged. */
export function Text(min: number, max: number, options: FieldOptions = {}): PropertyDecorator {
  return applyDecorators(
    Check('text', (value) => findTextFault(value, min, max)),
    Sized(sizeOfText(max)),
    documented(options, { type: String, minLength: min, maxLength: max }),
  );
}

// White space, control and format characters, and what fonts show as nothing: a name of only these can't be seen.
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/u;

/** Describes why a trimmed text isn't a name; null when it is. Must run before other checks of the value. */
export function findNameFault(value: unknown, max: number): string | null {
  if (value === '') return 'must not be blank';
  return findTextFault(value, 1, max) ?? (VISIBLE.test(value as string) ? null : 'must not be blank');
}

/** Text that people read as a name or label: trimmed, and not blank (CONTRACT: Conventions). @param max in code points */
export function Name(max: number, options: FieldOptions = {}): PropertyDecorator {
  return applyDecorators(
    Trimmed(),
    Check('name', (value) => findNameFault(value, max)),
    Sized(sizeOfText(max)),
    documented(options, { type: String, minLength: 1, maxLength: max }),
  );
}

function longest(words: readonly string[]): number {
  return Math.max(...words.map(({ length }) => length));
}

/** One of a list of texts. */
export function OneOf(words: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  const list = words.join(', ');
  return applyDecorators(
    Check('oneOf', (value) => (words.includes(value as string) ? null : `must be one of ${list}`)),
    Sized(sizeOfText(longest(words))),
    documented(options, { enum: [...words] }),
  );
}

/** A non-empty list of these values; optional. */
export function SomeOf(choices: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  const form = `must be a non-empty array of ${choices.join(', ')}`;
  const isList = (value: unknown) => Array.isArray(value) && value.length > 0 && value.length <= choices.length;
  const isChoice = (value: unknown) => choices.includes(value as string);
  return applyDecorators(
    Check('someOf', (value) => (isList(value) && (value as unknown[]).every(isChoice) ? null : form)),
    Sized(sizeOfList(choices.length, sizeOfText(longest(choices)))),
    documented(
      { ...options, optional: true },
      { type: 'array', minItems: 1, items: { type: 'string', enum: [...choices] } },
    ),
  );
}

/**
 * A JSON object of at most 10,240 bytes that comes back deep-equal (CONTRACT: Conventions). Always optional, but not
 * through IsOptional, which would skip the field's other checks when it's absent.
 */
export function Metadata(options: FieldOptions = {}): PropertyDecorator {
  return jsonObject(findMetadataFault, { ...options, required: false });
}

/** The same, required. */
export function RequiredMetadata(options: FieldOptions = {}): PropertyDecorator {
  const findFault = (value: unknown) => (value === undefined ? 'is required' : findMetadataFault(value));
  return jsonObject(findFault, { ...options, required: true });
}

function jsonObject(
  findFault: (value: unknown) => string | null,
  { required, ...options }: FieldOptions & { required: boolean },
): PropertyDecorator {
  const described = { ...options, type: 'object', additionalProperties: true } as ApiPropertyOptions;
  return applyDecorators(
    Check('metadata', findFault),
    JsonValue(),
    Sized(sizeOfJson(MAX_METADATA_BYTES)),
    required ? ApiProperty(described) : ApiPropertyOptional(described),
  );
}

function findMetadataFault(value: unknown): string | null {
  if (value === undefined) return null;
  if (!isJsonObject(value)) return 'must be a JSON object';
  const fault = findUnstorable(value, MAX_METADATA_BYTES);
  if (fault) return fault;
  return Buffer.byteLength(jsonOf(value)) > MAX_METADATA_BYTES ? tooLong(MAX_METADATA_BYTES) : null;
}

/** An object that is validated by the class of the property. */
export function Nested(type: () => new () => object, options: FieldOptions = {}): PropertyDecorator {
  // Swagger calls a function only if its name is `type`; it would document any other one as a class.
  const documentation = documented(options, { type: () => type() });
  return applyDecorators(IsObject({ message: 'must be an object' }), ValidateNested(), documentation);
}

/** A whole number in a query, written in digits only; optional. */
export function QueryInteger(
  min: number,
  max: number,
  options: FieldOptions & { default?: number } = {},
): PropertyDecorator {
  const message = `must be an integer from ${min} to ${max}`;
  return applyDecorators(
    Transform(({ value }) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN)),
    ...(options.default === undefined ? [IsOptional()] : []),
    IsInt({ message }),
    Min(min, { message }),
    Max(max, { message }),
    ApiPropertyOptional({ ...options, type: 'integer', minimum: min, maximum: max } as ApiPropertyOptions),
  );
}

function CursorOf(decode: (cursor: string, query: Record<string, unknown>) => unknown): PropertyDecorator {
  return applyDecorators(
    Transform(({ value, obj }) => (typeof value === 'string' ? decode(value, obj) : undefined) ?? false),
    Check('cursor', (value) => (value === false ? 'must be nextCursor of an earlier page of this list' : null)),
    documented({ optional: true, description: '`nextCursor` of the page before' }, { type: String }),
  );
}

/** The opaque cursor of a page, decoded to the id that it contains. */
export const Cursor = (): PropertyDecorator => CursorOf(decodeCursor);

/** The opaque cursor of a list sorted by time, decoded to its Position. */
export const PositionCursor = (): PropertyDecorator => CursorOf(decodePosition);

/** The opaque cursor of a list sorted by text, decoded to its TextPosition. */
export const TextCursor = (): PropertyDecorator => CursorOf(decodeTextPosition);

/** The opaque cursor of a page: decoded to its TextPosition with `search`, and to its id otherwise. */
export const SearchCursor = (): PropertyDecorator =>
  CursorOf((cursor, { search }) => (search === undefined ? decodeCursor(cursor) : decodeTextPosition(cursor)));

/** A whole number in a body. */
export function WholeNumber(min: number, max: number, options: FieldOptions = {}): PropertyDecorator {
  const isWhole = (value: unknown) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
  return applyDecorators(
    Sized(SCALAR),
    Check('wholeNumber', (value) => (isWhole(value) ? null : `must be an integer from ${min} to ${max}`)),
    documented(options, { type: 'integer', minimum: min, maximum: max }),
  );
}

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** Maximum characters of a time: 2026-01-15T08:30:00.123456789+01:00. */
export const MAX_TIME_LENGTH = 35;

/** Describes why a value is not a time; null when it is one. */
export function findTimeFault(value: unknown): string | null {
  return typeof value === 'string' && isTime(value) ? null : 'must be a time like 2026-01-15T08:30:00.000Z';
}

/** A year with another number of digits in UTC makes it longer. */
const ISO_LENGTH = '2026-01-15T08:30:00.000Z'.length;

// Date.parse reads 30 February as 2 March, so the parsed day must equal the written one. Near its ends, the year may be another in UTC.
function isTime(text: string): boolean {
  const day = text.slice(0, 10);
  if (!RFC3339.test(text) || Number.isNaN(Date.parse(text))) return false;
  return new Date(text).toISOString().length === ISO_LENGTH && new Date(day).toISOString().startsWith(day);
}

/** A day in a query, as `2026-01-15`, from 1970 on. */
export function Day(options: FieldOptions = {}): PropertyDecorator {
  return applyDecorators(
    Check('day', (value) => (isDay(value) ? null : 'must be a day like 2026-01-15')),
    documented(options, { type: String, format: 'date' }),
  );
}

function isDay(value: unknown): boolean {
  return typeof value === 'string' && value >= '1970' && isTime(`${value}T00:00:00Z`);
}
