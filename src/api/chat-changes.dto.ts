import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional } from 'class-validator';
import {
  ATTRIBUTE_KEY,
  type AttributeChange,
  type Attributes,
  findAttributeFault,
  MAX_ATTRIBUTES_BYTES,
  MAX_KEYS,
  MAX_TEXT,
} from '../attributes/attributes.js';
import { MAX_FILTERS } from './attribute-filters.dto.js';
import { MAX_TITLE } from '../chats/moves/chat-titles.queries.js';
import type { TagChange, TagsOfChat } from '../tags/chat-tags.service.js';
import { findTagFault, MAX_TAG, MAX_TAGS } from '../tags/tag-key.js';
import type { UsedTag } from '../tags/tags.queries.js';
import { isJsonObject } from '../platform/lib/json.js';
import { Sized, sizeOfList, sizeOfText, sizeOfTexts } from '../platform/validation/body-size.js';
import { Check, Name, Text } from '../platform/validation/validators.js';
import { JsonValue, Trimmed } from '../platform/validation/validation-rules.js';

const VALUES = [{ type: 'string', maxLength: MAX_TEXT }, { type: 'number' }, { type: 'boolean' }] as const;
const EXAMPLE = { plan: 'gold', seats: 5 };

function findFault(value: unknown, isOptional: boolean): string | null {
  if (value === undefined) return isOptional ? null : 'is required';
  if (!isJsonObject(value)) return 'must be a JSON object';
  const fault = findAttributeFault(value, true);
  return fault && (fault.key === null ? fault.detail : `/${fault.key} ${fault.detail}`);
}

/** Attributes in a body, which are merged by key (CONTRACT: Attributes). */
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

function findTagsFault(value: unknown, most: number): string | null {
  if (value === undefined) return 'is required';
  if (!Array.isArray(value) || value.length > most) return `must be an array of at most ${most} tags`;
  const faults = value.map(findTagFault);
  const wrong = faults.findIndex((fault) => fault !== null);
  return wrong < 0 ? null : `/${wrong} ${faults[wrong]}`;
}

// A filter may be given once, so its place in a list says nothing.
function findFiltersFault(value: unknown): string | null {
  const tags = [value].flat() as unknown[];
  if (tags.length === 0 || tags.length > MAX_FILTERS) return `must be given 1 to ${MAX_FILTERS} times`;
  return tags.map(findTagFault).find((fault) => fault !== null) ?? null;
}

const TAG = { type: 'string', minLength: 1, maxLength: MAX_TAG } as const;

/** A list of tags in a body. */
function Tags(options: { optional?: boolean; description: string }): PropertyDecorator {
  const { optional, description } = options;
  const property = { type: 'array', items: TAG, maxItems: MAX_TAGS, description, example: ['Refund', 'VIP'] } as const;
  return applyDecorators(
    Trimmed(),
    Check('tags', (value) => findTagsFault(value, MAX_TAGS)),
    Sized(sizeOfList(MAX_TAGS, sizeOfText(MAX_TAG))),
    ...(optional ? [IsOptional(), ApiPropertyOptional(property)] : [ApiProperty(property)]),
  );
}

/** Tags that all must hold, in a query or a search; optional. */
export function TagFilters(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }) => (value === undefined || value === null ? undefined : [value].flat())),
    IsOptional(),
    Trimmed(),
    Check('tagFilters', findFiltersFault),
    Sized(sizeOfList(MAX_FILTERS, sizeOfText(MAX_TAG))),
    ApiPropertyOptional({
      type: 'array',
      items: TAG,
      maxItems: MAX_FILTERS,
      description: 'Only chats with this tag; repeated: with all of them. A former name means the tag that it became',
    }),
  );
}

/** The body of `PUT …/chats/{chatId}/tags` (CONTRACT: Tags). */
export class SetTagsRequest {
  @Tags({ description: 'The tags of the chat. A tag that does not exist is added' })
  tags!: string[];
}

/** The body of `POST …/chats/{chatId}/tags`. */
export class ChangeTagsRequest implements TagChange {
  @Tags({ optional: true, description: 'The chat gets these. A tag that does not exist is added' })
  add?: string[];

  @Tags({ optional: true, description: 'The chat loses these' })
  remove?: string[];
}

export class ChatTagsResponse implements TagsOfChat {
  @ApiProperty({ type: [String], description: 'The tags of the chat, by name' })
  tags!: string[];
}

export class UsedTagsQuery {
  @Text(0, MAX_TAG, { optional: true, description: 'How the tags begin, without regard to case' })
  prefix?: string;
}

export class UsedTagResponse implements UsedTag {
  @ApiProperty()
  name!: string;

  @ApiProperty({ type: String, nullable: true, description: '`#rrggbb`; null: none', example: '#4353ff' })
  color!: string | null;

  @ApiProperty({ type: 'integer', description: 'How many chats have it, up to 1,000' })
  chats!: number;
}

export class UsedTagsResponse {
  @ApiProperty({ type: () => [UsedTagResponse], description: 'The 50 most used' })
  tags!: UsedTagResponse[];
}

/** The body of `PATCH /api/bot/chats/{chatId}` and `PATCH /api/agent/chats/{chatId}` (CONTRACT: Bot API). */
export class ChangeChatRequest {
  @Name(MAX_TITLE, {
    optional: true,
    nullable: true,
    description: "The chat's title in lists. Null removes it: the visitor's first words are shown again",
    example: 'Order 4711: wrong size',
  })
  title?: string | null;

  @ChangedAttributesOf('What is known of the chat', { isOptional: true })
  attributes?: AttributeChange;
}

export class ChangedChatResponse {
  @ApiProperty({ example: 'cht_01h455vb4pex5vsknk084sn02q' })
  chatId!: string;

  @ApiProperty({ type: String, nullable: true })
  title!: string | null;

  @AttributesOf('All attributes of the chat')
  attributes!: Attributes;
}
