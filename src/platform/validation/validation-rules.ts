import { getMetadataStorage, type ValidatorConstraintInterface, ValidationTypes } from 'class-validator';
import { type BodySize, sizeOfField, sizeOfObject } from './body-size.js';

/** A class with rules of class-validator. */
export type Class = new () => object;

const NULLABLE = Symbol('nullable');
const JSON_VALUE = Symbol('json');

/** Allows null in this field, where it removes the stored value. */
export function Nullable(): PropertyDecorator {
  return Reflect.metadata(NULLABLE, true);
}

const TRIMMED = Symbol('trimmed');

/** Removes white space at both ends of the text, or of each text in the list, before the field's rules are checked. */
export function Trimmed(): PropertyDecorator {
  return Reflect.metadata(TRIMMED, true);
}

/** Marks a field that takes any JSON, which must come back unchanged. */
export function JsonValue(): PropertyDecorator {
  return Reflect.metadata(JSON_VALUE, true);
}

const FREE_NAMES = Symbol('free names');

/** A parameter that a class doesn't name. */
export interface GivenParameter {
  name: string;
  value: unknown;
}

/**
 * Collects the parameters whose names begin with one of these in this field, as a list of `GivenParameter`. The field's own name is no
 * parameter. A fault of the field begins with the name of the parameter that has it.
 */
export function FreeNames(...prefixes: readonly string[]): PropertyDecorator {
  return Reflect.metadata(FREE_NAMES, prefixes);
}

type Message = Exclude<ReturnType<typeof metadataOf>[number]['message'], undefined>;

interface Field {
  name: string;
  /** Whether null is a value; otherwise null counts as omitted. */
  isNullable: boolean;
  isTrimmed: boolean;
  /** Whether it takes any JSON. */
  isJson: boolean;
  /** How the names of the parameters begin that it collects; empty: it's a parameter itself. */
  prefixes: readonly string[];
  /** The class that validates the object in this field. */
  nested: Class | null;
  conditions: ((object: object, value: unknown) => boolean)[];
  rules: { validator: ValidatorConstraintInterface; constraints: unknown[]; message: Message | undefined }[];
}

interface Rules {
  fields: readonly Field[];
}

/** A value that breaks a rule. */
export interface Fault {
  /** The field names that lead to it. */
  path: readonly string[];
  detail: string;
}

const rulesOfClass = new WeakMap<Class, Rules>();

/**
 * The class-validator rules of a class, read once, because class-validator searches the rules of all classes at every
 * call.
 * @throws Error for a kind of rule that is unknown here
 */
export function rulesOf(type: Class): Rules {
  let rules = rulesOfClass.get(type);
  if (!rules) rulesOfClass.set(type, (rules = readRules(type)));
  return rules;
}

/** The maximum size of a valid body of this class. @throws Error when a field has no size */
export function sizeOfClass(type: Class): BodySize {
  return sizeOfObject(
    rulesOf(type).fields.map(({ name, nested }) => [
      name,
      nested ? sizeOfClass(nested) : sizeOfField(type.prototype as object, name),
    ]),
  );
}

/** The first fault of each field of a DTO. Runs each rule once. */
export function findFaults(dto: object): Fault[] {
  const faults: Fault[] = [];
  for (const field of rulesOf(dto.constructor as Class).fields) checkField(field, dto, faults);
  return faults;
}

function checkField({ name, prefixes, nested, conditions, rules }: Field, object: object, faults: Fault[]): void {
  const value = (object as Record<string, unknown>)[name];
  if (!conditions.every((isMet) => isMet(object, value))) return;
  for (const { validator, constraints, message } of rules) {
    const args = { value, object, constraints, property: name, targetName: '' };
    if (validator.validate(value, args) === true) continue;
    const detail = typeof message === 'function' ? message(args) : (message ?? validator.defaultMessage?.(args));
    return void faults.push(faultOf(name, prefixes, detail ?? 'is not valid'));
  }
  if (!nested) return;
  const inner = value instanceof nested ? findFaults(value) : [{ path: [], detail: 'must be an object' }];
  for (const { path, detail } of inner) faults.push({ path: [name, ...path], detail });
}

function faultOf(name: string, prefixes: readonly string[], detail: string): Fault {
  if (prefixes.length === 0) return { path: [name], detail };
  const end = detail.indexOf(' ');
  return { path: [detail.slice(0, end)], detail: detail.slice(end + 1) };
}

/** What's given for a field: undefined for nothing, and for null where that isn't a value. */
export function valueOf(
  from: object,
  { name, isNullable, prefixes }: Pick<Field, 'name' | 'isNullable' | 'prefixes'>,
): unknown {
  if (prefixes.length > 0) return collect(from, prefixes);
  const value = Object.hasOwn(from, name) ? (from as Record<string, unknown>)[name] : undefined;
  return value === null && !isNullable ? undefined : value;
}

function collect(from: object, prefixes: readonly string[]): GivenParameter[] | undefined {
  const given = Object.entries(from as Record<string, unknown>)
    .filter(([name, value]) => value !== null && hasPrefix(name, prefixes))
    .map(([name, value]) => ({ name, value }));
  return given.length > 0 ? given : undefined;
}

const hasPrefix = (name: string, prefixes: readonly string[]) => prefixes.some((prefix) => name.startsWith(prefix));

/** Whether a class takes a parameter with this name. */
export function takesParameter(type: Class, name: string): boolean {
  return rulesOf(type).fields.some((field) =>
    field.prefixes.length > 0 ? hasPrefix(name, field.prefixes) : field.name === name,
  );
}

function metadataOf(type: Class) {
  return getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
}

const KINDS = [
  ValidationTypes.CUSTOM_VALIDATION,
  ValidationTypes.CONDITIONAL_VALIDATION,
  ValidationTypes.NESTED_VALIDATION,
];

function readRules(type: Class): Rules {
  const storage = getMetadataStorage();
  const all = metadataOf(type);
  const unknown = all.find((rule) => rule.each || rule.validateIf || !KINDS.includes(rule.type));
  if (unknown)
    throw new Error(`${type.name}.${unknown.propertyName} has a rule that is not supported: ${unknown.type}`);
  const names = [...new Set(all.map(({ propertyName }) => propertyName))];
  const prototype = type.prototype as object;
  const fields = names.map((name): Field => {
    const own = all.filter(({ propertyName }) => propertyName === name);
    const ofType = (wanted: string) => own.filter((rule) => rule.type === wanted);
    const nested: unknown = Reflect.getMetadata('design:type', prototype, name);
    return {
      name,
      isTrimmed: Reflect.hasMetadata(TRIMMED, prototype, name),
      isNullable: Reflect.hasMetadata(NULLABLE, prototype, name),
      isJson: Reflect.hasMetadata(JSON_VALUE, prototype, name),
      prefixes: (Reflect.getMetadata(FREE_NAMES, prototype, name) as readonly string[] | undefined) ?? [],
      nested: ofType(ValidationTypes.NESTED_VALIDATION).length > 0 ? (nested as Class) : null,
      conditions: ofType(ValidationTypes.CONDITIONAL_VALIDATION).map(
        (rule) => rule.constraints[0] as Field['conditions'][0],
      ),
      rules: ofType(ValidationTypes.CUSTOM_VALIDATION).flatMap(({ constraintCls, constraints, message }) =>
        storage
          .getTargetValidatorConstraints(constraintCls)
          .map(({ instance }) => ({ validator: instance, constraints: constraints as unknown[], message })),
      ),
    };
  });
  return { fields };
}
