import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ATTRIBUTE_KEY,
  type AttributeChange,
  type Attributes,
  findAttributeFault,
  MAX_ATTRIBUTES_BYTES,
  MAX_KEYS,
  MAX_TEXT,
} from '../attributes/attributes.js';
import { isJsonObject } from '../platform/lib/json.js';
import { Sized, sizeOfTexts } from '../platform/validation/body-size.js';
import { JsonValue } from '../platform/validation/validation-rules.js';
import { Check } from '../platform/validation/validators.js';

const VALUES = [{ type: 'string', maxLength: MAX_TEXT }, { type: 'number' }, { type: 'boolean' }] as const;
const EXAMPLE = { plan: 'gold', seats: 5 };

function findFault(value: unknown, isOptional: boolean): string | null {
  if (value === undefined) return isOptional ? null : 'is required';
  if (!isJsonObject(value)) return 'must be a JSON object';
  const fault = findAttributeFault(value, true);
  return fault && (fault.key === null ? fault.detail : `/${fault.key} ${fault.detail}`);
}

/** Attributes in a body, which are merged by key (CONTRACT section 14). */
export function ChangedAttributesOf(whose: string, { isOptional = false } = {}): PropertyDecorator {
  const limits = `At most ${MAX_KEYS} keys like \`${ATTRIBUTE_KEY.source}\`, and ${MAX_ATTRIBUTES_BYTES} bytes as JSON`;
  return applyDecorators(
    Check('attributes', (value) => findFault(value, isOptional)),
    JsonValue(),
    Sized(sizeOfTexts(MAX_KEYS, MAX_ATTRIBUTES_BYTES)),
    (isOptional ? ApiPropertyOptional : ApiProperty)({
      type: 'object',
      additionalProperties: { oneOf: [...VALUES], nullable: true },
      description: `${whose}, merged by key; null removes a key. ${limits}`,
      example: { ...EXAMPLE, trial: null },
    }),
  );
}

/** Attributes in an answer. */
export function AttributesOf(description: string): PropertyDecorator {
  return ApiProperty({ type: 'object', additionalProperties: { oneOf: [...VALUES] }, description, example: EXAMPLE });
}

/** Changed attributes in an event. */
export function ChangedValues(which = 'of `attributes`'): PropertyDecorator {
  return ApiProperty({
    type: 'object',
    additionalProperties: { oneOf: [...VALUES], nullable: true },
    description: `The new values ${which} by key; null: it was removed`,
  });
}

/** The body of `PATCH …/visitors/{visitorId}`. */
export class ChangeVisitorRequest {
  @ChangedAttributesOf('What is known of the visitor')
  attributes!: AttributeChange;
}

export class ChangedVisitorResponse {
  @ApiProperty({ example: 'vis_01h455vb4pex5vsknk084sn02q' })
  visitorId!: string;

  @AttributesOf('All attributes of the visitor, after the change')
  attributes!: Attributes;
}
