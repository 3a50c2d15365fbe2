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

type Message = Exclude<ReturnType<typeof metadataOf>[number]['message'], undefined>;

interface Field {
  name: string;
  /** Whether null is a value; otherwise null counts as omitted. */
  isNullable: boolean;
  isTrimmed: boolean;
  /** Whether it takes any JSON. */
  isJson: boolean;
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

function checkField({ name, nested, conditions, rules }: Field, object: object, faults: Fault[]): void {
  const value = (object as Record<string, unknown>)[name];
  if (!conditions.every((isMet) => isMet(object, value))) return;
  for (const { validator, constraints, message } of rules) {
    const args = { value, object, constraints, property: name, targetName: '' };
    if (validator.validate(value, args) === true) continue;
    const detail = typeof message === 'function' ? message(args) : (message ?? validator.defaultMessage?.(args));
    return void faults.push({ path: [name], detail: detail ?? 'is not valid' });
  }
  if (!nested) return;
  const inner = value instanceof nested ? findFaults(value) : [{ path: [], detail: 'must be an object' }];
  for (const { path, detail } of inner) faults.push({ path: [name, ...path], detail });
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
