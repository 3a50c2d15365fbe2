import { ApiProperty } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import type { CannedReply } from '../../agents/canned-reply.entity.js';
import type { NewCannedReply } from '../../agents/canned-replies.service.js';
import { Check, findTextFault, Text } from '../../platform/validation/validators.js';

const MAX_SHORTCUT = 40;
const SHORTCUT_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789_-';

function findShortcutFault(value: unknown): string | null {
  const fault = findTextFault(value, 1, MAX_SHORTCUT);
  if (fault) return fault;
  const isAllowed = [...(value as string)].every((character) => SHORTCUT_CHARACTERS.includes(character));
  return isAllowed ? null : 'must contain only a to z, 0 to 9, _ and -';
}

const Shortcut = (optional = false): PropertyDecorator =>
  applyDecorators(
    Text(1, MAX_SHORTCUT, {
      optional,
      example: 'hours',
      description: 'Of `a` to `z`, `0` to `9`, `_` and `-`; unique',
    }),
    Check('shortcut', findShortcutFault),
  );

export class NewReplyDto implements NewCannedReply {
  @Shortcut()
  shortcut!: string;

  @Text(1, 5000, { example: 'We are here from 9 to 17.' })
  content!: string;
}

export class UpdateReplyDto implements Partial<NewCannedReply> {
  @Shortcut(true)
  shortcut?: string;

  @Text(1, 5000, { optional: true })
  content?: string;
}

export class ReplyResponse {
  @ApiProperty({ example: 'rpl_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ example: 'hours' })
  shortcut!: string;

  @ApiProperty()
  content!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: string;
}

export class RepliesResponse {
  @ApiProperty({ type: () => [ReplyResponse] })
  replies!: ReplyResponse[];

  @ApiProperty({ type: String, nullable: true, description: 'Ask for the next page with it; null at the end' })
  nextCursor!: string | null;
}

export function toReplyResponse({ id, shortcut, content, createdAt }: CannedReply): ReplyResponse {
  return { id, shortcut, content, createdAt: createdAt.toISOString() };
}
