import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { hasInexactInteger, isJsonObject } from '../../lib/json.js';
import { RejectedBody, textWithLongNumbers } from './parsed-body.js';
import { type FieldError, invalid, Problem, validationFailed } from '../../errors/problem.js';
import { type Class, type Fault, findFaults, rulesOf, valueOf } from '../../validation/validation-rules.js';

/**
 * Converts a body or a query to its DTO, or throws a 400 with one entry per invalid field. Undeclared fields are
 * dropped unread. `null` counts as omitted, except in fields that allow it. Values are copied unchanged, because
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

/** Converts a body from REST or a socket to its DTO. @throws Problem validation_failed, body_too_large */
export function parseBody<T extends object>(type: new () => T, body: unknown): T {
  if (body instanceof RejectedBody) throw new Problem('body_too_large', body.detail);
  if (!isJsonObject(body)) throw invalid('', 'must be a JSON object');
  const dto = check(toDto(type, body), '/');
  const text = textWithLongNumbers(body);
  if (text !== undefined) checkIntegers(dto, text, '');
  return dto;
}

function toDto<T extends object>(type: new () => T, body: Record<string, unknown>): T {
  const dto = new type();
  for (const field of rulesOf(type).fields) {
    const { name, nested, isTrimmed } = field;
    const given = valueOf(body, field);
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
  const named = rulesOf(type).fields.map(
    (field) => [field.name, valueOf(from, { ...field, isNullable: false })] as const,
  );
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}

function isDto(type: unknown): type is Class {
  return typeof type === 'function' && type !== Object && rulesOf(type as Class).fields.length > 0;
}

function check<T extends object>(dto: T, prefix: string): T {
  const faults = findFaults(dto);
  if (faults.length > 0) throw validationFailed(faults.map((fault) => toFieldError(fault, prefix)));
  return dto;
}

// Only the body's text shows which integers lost digits in parsing. This check comes last, because the text may be much
// longer than the valid part.
function checkIntegers(dto: object, text: string, pointer: string): void {
  for (const { name, isJson, nested } of rulesOf(dto.constructor as Class).fields) {
    const value = (dto as Record<string, unknown>)[name];
    if (isJson && hasInexactInteger(value, text)) {
      throw invalid(`${pointer}/${name}`, 'must not contain an integer that loses digits; send it as a string');
    }
    if (nested && value !== undefined) checkIntegers(value as object, text, `${pointer}/${name}`);
  }
}

/** @param prefix `/` for a body, `?` for a query */
export function toFieldError({ path, detail }: Fault, prefix: string): FieldError {
  const pointer = prefix + path.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
  const [at, words] = detail.startsWith('/') ? splitPointer(detail) : ['', detail];
  return { pointer: pointer + at, detail: words };
}

// A check may point below its field: "/options must …".
function splitPointer(detail: string): [string, string] {
  const end = detail.indexOf(' ');
  return [detail.slice(0, end), detail.slice(end + 1)];
}
