import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import type { TextPosition } from '../../platform/lib/cursor.js';
import { Sized, sizeOfText } from '../../platform/validation/body-size.js';
import { PageSizeQuery } from '../../platform/validation/paging.js';
import { Nullable, Trimmed } from '../../platform/validation/validation-rules.js';
import { Check, Text, TextCursor } from '../../platform/validation/validators.js';
import { findTagFault, MAX_TAG } from '../../tags/tag-key.js';
import type { TagRow } from '../../tags/tags.queries.js';
import type { TagUpdate } from '../../tags/tags.service.js';
import { UsedTagResponse } from '../chat-changes.dto.js';
import { NextCursor } from './response-fields.js';

const COLOR = /^#[0-9a-f]{6}$/i;
const COLOR_LENGTH = '#rrggbb'.length;

export class TagsQuery extends PageSizeQuery {
  @Text(0, MAX_TAG, { optional: true, description: 'How the tags begin, without regard to case' })
  prefix?: string;

  /** The last tag of the previous page, decoded. */
  @TextCursor()
  cursor?: TextPosition;
}

function TagName(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Trimmed(),
    Check('tagName', findTagFault),
    Sized(sizeOfText(MAX_TAG)),
    ApiPropertyOptional({ type: String, minLength: 1, maxLength: MAX_TAG }),
  );
}

function Color(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Nullable(),
    Check('color', (value) => (typeof value === 'string' && COLOR.test(value) ? null : 'must be #rrggbb or null')),
    Sized(sizeOfText(COLOR_LENGTH)),
    ApiPropertyOptional({ type: String, nullable: true, description: '`#rrggbb`; null: none', example: '#4353ff' }),
  );
}

export class UpdateTagDto implements TagUpdate {
  @TagName()
  name?: string;

  @Color()
  color?: string | null;
}

export class MergeTagDto {
  @Text(1, 64, { description: 'The tag that the chats get', example: 'tag_01h455vb4pex5vsknk084sn02q' })
  into!: string;
}

export class TagResponse extends UsedTagResponse implements TagRow {
  @ApiProperty({ example: 'tag_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ type: [String], description: 'The names that it had, or merged tags have had; the newest first' })
  formerNames!: string[];
}

export class TagsResponse {
  @ApiProperty({ type: () => [TagResponse] })
  tags!: TagResponse[];

  @NextCursor()
  nextCursor!: string | null;
}
