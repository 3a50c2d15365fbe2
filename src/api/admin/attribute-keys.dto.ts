import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { MAX_FILTER_KEYS } from '../../attributes/attribute-keys.service.js';
import { ATTRIBUTE_KEY } from '../../attributes/attributes.js';
import { Sized, sizeOfBytes, sizeOfList } from '../../platform/validation/body-size.js';
import { Check } from '../../platform/validation/validators.js';

const MAX_KEY = 64;

function findKeysFault(value: unknown): string | null {
  if (value === undefined) return 'is required';
  if (!Array.isArray(value) || new Set(value).size > MAX_FILTER_KEYS)
    return `must be an array of at most ${MAX_FILTER_KEYS} keys`;
  const wrong = value.findIndex((key) => typeof key !== 'string' || !ATTRIBUTE_KEY.test(key));
  return wrong < 0 ? null : `/${wrong} must be 1 to ${MAX_KEY} letters, digits, and _ . -`;
}

function Keys(): PropertyDecorator {
  return applyDecorators(
    Check('attributeKeys', findKeysFault),
    Sized(sizeOfList(2 * MAX_FILTER_KEYS, sizeOfBytes(MAX_KEY))),
    ApiProperty({
      type: [String],
      maxItems: MAX_FILTER_KEYS,
      description: 'All attribute keys that filters of chats can use. The same key twice counts once',
      example: ['plan', 'order'],
    }),
  );
}

export class SetAttributeKeysDto {
  @Keys()
  keys!: string[];
}
