import { getMetadataStorage, type ValidatorConstraintInterface, ValidationTypes } from 'class-validator';

/** A class with rules of class-validator. */
export type Class = new () => object;

const NULLABLE = Symbol('nullable');

/** Allows null in this field, where it removes the stored value. */
export function Nullable(): PropertyDecorator {
  return Reflect.metadata(NULLABLE, true);
}

const TRIMMED = Symbol('trimmed');

/** Removes the white space at both ends of the text, or of each text of the list, before the rules of the field are checked. */
export function Trimmed(): PropertyDecorator {
  return Reflect.metadata(TRIMMED, true);
}

interface Field {
  name: string;
  /** Whether null is a value; otherwise null counts as omitted. */
  isNullable: boolean;
  isTrimmed: boolean;
  /** The class that validates the object in this field. */
  nested: Class | null;
  conditions: ((object: object, value: unknown) => boolean)[];
  rules: { validator: ValidatorConstraintInterface; constraints: unknown[] }[];
}

interface Rules {
  fields: readonly Field[];
  /** Whether `fields` holds every rule that class-validator would check. */
  isComplete: boolean;
}

const rulesOfClass = new WeakMap<Class, Rules>();

/**
 * The class-validator rules of a class, read once: class-validator searches them among those of all classes at every
 * call.
 */
export function rulesOf(type: Class): Rules {
  let rules = rulesOfClass.get(type);
  if (!rules) rulesOfClass.set(type, (rules = readRules(type)));
  return rules;
}

/** Whether a DTO is certainly valid. When false, it may be valid still: class-validator decides, and makes the errors. */
export function isValid(dto: object): boolean {
  const { fields, isComplete } = rulesOf(dto.constructor as Class);
  return isComplete && fields.every((field) => passes(field, dto));
}

function passes({ name, nested, conditions, rules }: Field, object: object): boolean {
  const value = (object as Record<string, unknown>)[name];
  if (!conditions.every((isMet) => isMet(object, value))) return true;
  const isFieldValid = rules.every(
    ({ validator, constraints }) =>
      validator.validate(value, { value, object, constraints, property: name, targetName: '' }) === true,
  );
  return isFieldValid && (!nested || (value instanceof nested && isValid(value)));
}

function readRules(type: Class): Rules {
  const storage = getMetadataStorage();
  const all = storage.getTargetValidationMetadatas(type, '', false, false);
  const names = [...new Set(all.map(({ propertyName }) => propertyName))];
  const isKnown = (rule: (typeof all)[number]) =>
    !rule.each &&
    !rule.validateIf &&
    [
      ValidationTypes.CUSTOM_VALIDATION,
      ValidationTypes.CONDITIONAL_VALIDATION,
      ValidationTypes.NESTED_VALIDATION,
    ].includes(rule.type);
  const fields = names.map((name): Field => {
    const own = all.filter(({ propertyName }) => propertyName === name);
    const ofType = (wanted: string) => own.filter((rule) => rule.type === wanted);
    const nested: unknown = Reflect.getMetadata('design:type', type.prototype as object, name);
    return {
      name,
      isNullable: Reflect.hasMetadata(NULLABLE, type.prototype as object, name),
      isTrimmed: Reflect.hasMetadata(TRIMMED, type.prototype as object, name),
      nested: ofType(ValidationTypes.NESTED_VALIDATION).length > 0 ? (nested as Class) : null,
      conditions: ofType(ValidationTypes.CONDITIONAL_VALIDATION).map(
        (rule) => rule.constraints[0] as Field['conditions'][0],
      ),
      rules: ofType(ValidationTypes.CUSTOM_VALIDATION).flatMap(({ constraintCls, constraints }) =>
        storage
          .getTargetValidatorConstraints(constraintCls)
          .map(({ instance }) => ({ validator: instance, constraints: constraints as unknown[] })),
      ),
    };
  });
  return { fields, isComplete: all.every(isKnown) };
}
