import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { type ValidationError, validateSync } from 'class-validator';
import { isJsonObject } from '../lib/json.js';
import { type FieldError, invalid, validationFailed } from './problem.js';
import { type Class, isValid, rulesOf } from './validation-rules.js';

/**
 * Turns a body or a query into its DTO, or a 400 with one entry per invalid field. Fields that the DTO does not declare
 * are dropped unread. `null` counts as omitted, except in fields that allow it. Values are copied as they are, because
 * class-transformer throws on valid metadata (`{"constructor": 1}`).
 */
@Injectable()
export class ValidationPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (!isDto(metatype)) return value;
    if (type === 'query') return check(plainToInstance(metatype, pick(metatype, value ?? {})), '?');
    return parseBody(metatype, value);
  }
}

/** Turns a body, of REST or of a socket, into its DTO. @throws Problem validation_failed */
export function parseBody<T extends object>(type: new () => T, body: unknown): T {
  if (!isJsonObject(body)) throw invalid('', 'must be a JSON object');
  return check(toDto(type, body), '/');
}

function toDto<T extends object>(type: new () => T, body: Record<string, unknown>): T {
  const dto = new type();
  for (const { name, nested, isNullable, isTrimmed } of rulesOf(type).fields) {
    const given = valueOf(body, name, isNullable);
    if (given === undefined) continue;
    const value = isTrimmed ? trimmed(given) : given;
    (dto as Record<string, unknown>)[name] = nested && isJsonObject(value) ? toDto(nested, value) : value;
  }
  return dto;
}

function trimmed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => (typeof one === 'string' ? one.trim() : one));
  return typeof value === 'string' ? value.trim() : value;
}

function pick(type: Class, from: object): Record<string, unknown> {
  const named = rulesOf(type).fields.map(({ name }) => [name, valueOf(from, name)] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}

function valueOf(from: object, name: string, isNullable = false): unknown {
  const value = Object.hasOwn(from, name) ? (from as Record<string, unknown>)[name] : undefined;
  return value === null && !isNullable ? undefined : value;
}

function isDto(type: unknown): type is Class {
  return typeof type === 'function' && type !== Object && rulesOf(type as Class).fields.length > 0;
}

function check<T extends object>(dto: T, prefix: string): T {
  if (isValid(dto)) return dto;
  const errors = validateSync(dto, { stopAtFirstError: true, validationError: { target: false } });
  if (errors.length > 0) throw validationFailed(errors.flatMap((error) => toFieldErrors(error, prefix)));
  return dto;
}

function toFieldErrors(error: ValidationError, prefix: string): FieldError[] {
  const pointer = prefix + error.property.replaceAll('~', '~0').replaceAll('/', '~1');
  if (error.children?.length) return error.children.flatMap((child) => toFieldErrors(child, `${pointer}/`));
  const detail = Object.values(error.constraints ?? {})[0] ?? 'is not valid';
  const [at, words] = detail.startsWith('/') ? splitPointer(detail) : ['', detail];
  return [{ pointer: pointer + at, detail: words }];
}

// A check may point below its field: "/options must …".
function splitPointer(detail: string): [string, string] {
  const end = detail.indexOf(' ');
  return [detail.slice(0, end), detail.slice(end + 1)];
}
