import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, type ValidationError, validateSync } from 'class-validator';
import { isJsonObject } from './json.js';
import { type FieldError, invalid, validationFailed } from './problem.js';

type Class = new () => object;

const fieldsOfClass = new WeakMap<Class, readonly string[]>();

/**
 * Turns a body or a query into its DTO or a 400 with one entry per offending field. Fields that the DTO does not
 * declare are left behind before anything looks at them, `null` counts as omitted, and values are taken over as they
 * are: class-transformer throws on perfectly good metadata (`{"constructor": 1}`).
 */
@Injectable()
export class ValidationPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (!isDto(metatype)) return value;
    if (type === 'query') return check(plainToInstance(metatype, pick(metatype, value ?? {})), '?');
    return parseBody(metatype, value);
  }
}

/** The DTO of a body, from wherever it came (REST or a socket). @throws Problem validation_failed */
export function parseBody<T extends object>(type: new () => T, body: unknown): T {
  if (!isJsonObject(body)) throw invalid('', 'must be a JSON object');
  return check(toDto(type, body), '/');
}

function toDto<T extends object>(type: new () => T, body: Record<string, unknown>): T {
  const dto = new type();
  for (const [name, value] of Object.entries(pick(type, body))) {
    const nested: unknown = Reflect.getMetadata('design:type', type.prototype as object, name);
    const field = isDto(nested) && isJsonObject(value) ? toDto(nested, value) : value;
    (dto as Record<string, unknown>)[name] = field;
  }
  return dto;
}

function pick(type: Class, from: object): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of fieldsOf(type)) {
    if (!Object.hasOwn(from, name)) continue;
    const value = (from as Record<string, unknown>)[name];
    if (value !== null && value !== undefined) picked[name] = value;
  }
  return picked;
}

function fieldsOf(type: Class): readonly string[] {
  let fields = fieldsOfClass.get(type);
  if (!fields) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
    fields = [...new Set(rules.map((rule) => rule.propertyName))];
    fieldsOfClass.set(type, fields);
  }
  return fields;
}

function isDto(type: unknown): type is Class {
  return typeof type === 'function' && type !== Object && fieldsOf(type as Class).length > 0;
}

function check<T extends object>(dto: T, prefix: string): T {
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
