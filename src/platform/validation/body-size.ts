/** The maximum size of a valid value in a body. */
export interface BodySize {
  /** Bytes of JSON, with every character escaped. */
  bytes: number;
  /** The value itself, and the values in it. */
  values: number;
}

const SIZE = Symbol('size');

/** Maximum bytes of an escaped character: `\ud83d\ude00`. */
const BYTES_OF_CHARACTER = 12;
/** Maximum bytes of an escaped byte of JSON, as `\u0061`. */
const BYTES_OF_BYTE = 6;

/** How many values a field name counts as (`hasMoreValues`). */
const VALUES_OF_NAME = 2;

/** A number, true, false, null, or a word. */
export const SCALAR: BodySize = { bytes: 64, values: 1 };

/** @param max the maximum number of characters, in code points */
export function sizeOfText(max: number): BodySize {
  return { bytes: max * BYTES_OF_CHARACTER + 2, values: 1 };
}

/** @param max the maximum number of characters of an ASCII text, or its bytes */
export function sizeOfBytes(max: number): BodySize {
  return { bytes: max * BYTES_OF_BYTE + 2, values: 1 };
}

export function sizeOfList(most: number, { bytes, values }: BodySize): BodySize {
  return { bytes: 2 + most * (bytes + 1), values: 1 + most * values };
}

/**
 * JSON of at most this many bytes.
 * @param values the maximum number of values where the shape is known. Default: as many as `[[],[],…]` has, the
 *   most possible: two of three bytes count, as in `{"":{"":…}}`
 */
export function sizeOfJson(bytes: number, values = Math.ceil((bytes * 2) / 3) + 1): BodySize {
  return { bytes: bytes * BYTES_OF_BYTE, values };
}

/** A JSON object with at most so many texts, of at most this many bytes. */
export function sizeOfTexts(most: number, bytes: number): BodySize {
  return { bytes: bytes * BYTES_OF_BYTE, values: 1 + most * (1 + VALUES_OF_NAME) };
}

/** @param members the names of an object's fields, and the sizes of their values */
export function sizeOfObject(members: readonly (readonly [string, BodySize])[]): BodySize {
  const sizes = members.map(([name, { bytes, values }]) => ({
    bytes: sizeOfBytes(name.length).bytes + 2 + bytes,
    values: values + VALUES_OF_NAME,
  }));
  return sizes.reduce((sum, { bytes, values }) => ({ bytes: sum.bytes + bytes, values: sum.values + values }), {
    bytes: 2,
    values: 1,
  });
}

/** Declares the maximum size of a valid value of the field. Numbers and booleans don't need it. */
export function Sized(size: BodySize): PropertyDecorator {
  return Reflect.metadata(SIZE, size);
}

/** @throws Error when the field hasn't declared it */
export function sizeOfField(prototype: object, name: string): BodySize {
  const size = Reflect.getMetadata(SIZE, prototype, name) as BodySize | undefined;
  if (size) return size;
  const type: unknown = Reflect.getMetadata('design:type', prototype, name);
  if (type === Boolean || type === Number) return SCALAR;
  throw new Error(`${prototype.constructor.name}.${name} needs @Sized`);
}
