import { applyDecorators } from '@nestjs/common';
import { ApiHideProperty, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import {
  type AskedAttribute,
  FILTER_PREFIXES,
  findFilterFault,
  toAskedAttribute,
} from '../attributes/attribute-filters.js';
import type { FilterKey } from '../attributes/attribute-keys.queries.js';
import { MAX_TEXT } from '../attributes/attributes.js';
import { Sized, sizeOfBytes, sizeOfList, sizeOfText } from '../platform/validation/body-size.js';
import { Check } from '../platform/validation/validators.js';
import { FreeNames, type GivenParameter } from '../platform/validation/validation-rules.js';

/** The most filters by tags and attributes together. */
export const MAX_FILTERS = 10;
const MAX_NAME = 80;

// In a body, a value may be a number or a boolean.
const textsOf = (value: unknown): unknown[] =>
  [value].flat().map((one) => (typeof one === 'number' || typeof one === 'boolean' ? JSON.stringify(one) : one));

const countOf = (value: unknown) => [value ?? []].flat().length;

function findParameterFault({ name, value }: GivenParameter): string | null {
  const texts = textsOf(value);
  const fault =
    texts.length === 0 ? 'must not be empty' : texts.map((text) => findFilterFault(name, text)).find(Boolean);
  return fault ? `${nameOf(name)} ${fault}` : null;
}

// The fault of a free name begins with the name, which anyone may have typed.
const nameOf = (name: string) => (/^\S+$/.test(name) ? name.slice(0, MAX_NAME) : 'attr.KEY');

function findFault(value: unknown, object: object): string | null {
  const given = value as GivenParameter[];
  const count = countOf((object as { tag?: unknown }).tag) + given.reduce((sum, one) => sum + countOf(one.value), 0);
  if (count > MAX_FILTERS)
    return `${nameOf(given.at(-1)!.name)} must be one of at most ${MAX_FILTERS} filters by tags and attributes`;
  return given.map(findParameterFault).find((fault) => fault !== null) ?? null;
}

const VALUES = { type: 'array', items: { type: 'string', maxLength: MAX_TEXT } } as const;

/** Filters by attributes, which all must hold: `attr.KEY` and `verified.KEY`; optional. */
export function AttributeFilters({ isBody = false } = {}): PropertyDecorator {
  return applyDecorators(
    FreeNames(...FILTER_PREFIXES),
    IsOptional(),
    Check('attributeFilters', findFault),
    Sized(sizeOfList(MAX_FILTERS, { bytes: sizeOfBytes(MAX_NAME).bytes + sizeOfText(MAX_TEXT).bytes, values: 4 })),
    isBody
      ? ApiHideProperty()
      : ApiPropertyOptional({
          type: 'object',
          additionalProperties: VALUES,
          description:
            '`attr.KEY=value`: only chats whose own or whose visitor’s attributes or metadata have this value of an attribute key of the organization; `verified.KEY=value`: what a signed identity says. `*`: the key is set. Repeated: all must hold',
          example: { 'attr.plan': ['gold'] },
        }),
  );
}

/** The filters of a request; undefined without any. */
export function toAskedAttributes(given: readonly GivenParameter[] | undefined): AskedAttribute[] | undefined {
  return given?.flatMap(({ name, value }) => (textsOf(value) as string[]).map((text) => toAskedAttribute(name, text)));
}

class AttributeKeyResponse implements FilterKey {
  @ApiProperty({ example: 'plan' })
  key!: string;

  @ApiProperty({ description: 'Whether filters find all chats. Until then, they are a 409 with `not_ready`' })
  isReady!: boolean;
}

export class AttributeKeysResponse {
  @ApiProperty({ type: () => [AttributeKeyResponse], description: 'In the order of the keys' })
  keys!: AttributeKeyResponse[];
}
