/** How much of a body a valid value takes at most. */
export interface BodySize {
  /** Bytes of JSON, every character escaped. */
  bytes: number;
  /** The value, and the values in it. */
  values: number;
}

const SIZE = Symbol('size');

/** The most bytes of an escaped character: `\ud83d\ude00`. */
const BYTES_OF_CHARACTER = 12;
/** The most bytes of an escaped byte of JSON, as `\u0061`. */
const BYTES_OF_BYTE = 6;

/** As what the name of a field counts (`hasMoreValues`). */
const VALUES_OF_NAME = 2;

/** A number, true, false, null, or a word. */
export const SCALAR: BodySize = { bytes: 64, values: 1 };

/** @param max the most characters, in code points */
export function sizeOfText(max: number): BodySize {
  return { bytes: max * BYTES_OF_CHARACTER + 2, values: 1 };
}

/** @param max the most characters of a text that is ASCII, or its bytes */
export function sizeOfBytes(max: number): BodySize {
  return { bytes: max * BYTES_OF_BYTE + 2, values: 1 };
}

export function sizeOfList(most: number, { bytes, values }: BodySize): BodySize {
  return { bytes: 2 + most * (bytes + 1), values: 1 + most * values };
}

/** JSON of at most so many bytes. Most values are in `[[],[],…]`, where two of three bytes count, as in `{"":{"":…}}`. */
export function sizeOfJson(bytes: number): BodySize {
  return { bytes: bytes * BYTES_OF_BYTE, values: Math.ceil((bytes * 2) / 3) + 1 };
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

/** Says how much a valid value of the field takes. A field of a number or a boolean needs none. */
export function Sized(size: BodySize): PropertyDecorator {
  return Reflect.metadata(SIZE, size);
}

/** @throws Error when the field has not said it */
export function sizeOfField(prototype: object, name: string): BodySize {
  const size = Reflect.getMetadata(SIZE, prototype, name) as BodySize | undefined;
  if (size) return size;
  const type: unknown = Reflect.getMetadata('design:type', prototype, name);
  if (type === Boolean || type === Number) return SCALAR;
  throw new Error(`${prototype.constructor.name}.${name} needs @Sized`);
}
