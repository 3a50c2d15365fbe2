import { ApiProperty } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { type CannedReply, REPLY_ACTIONS, type ReplyAction } from '../../agents/canned-reply.entity.js';
import { MAX_PERSONAL, type NewCannedReply } from '../../agents/canned-replies.service.js';
import type { PageQuery } from '../../platform/validation/paging.js';
import { Check, Cursor, findTextFault, OneOf, QueryInteger, Text } from '../../platform/validation/validators.js';

const MAX_SHORTCUT = 40;
const SHORTCUT_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789_-';
const MAX_LANGUAGE = 35;

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
      description: 'Of `a` to `z`, `0` to `9`, `_` and `-`; unique in its language',
    }),
    Check('shortcut', findShortcutFault),
  );

function findLanguageFault(value: unknown): string | null {
  try {
    return Intl.getCanonicalLocales(value as string)[0] === value ? null : 'must be a language tag like de or pt-BR';
  } catch {
    return 'must be a language tag like de or pt-BR';
  }
}

/** The fields of a reply that may be omitted, or null. */
class ReplyDetails {
  @Text(2, MAX_LANGUAGE, {
    optional: true,
    nullable: true,
    example: 'de',
    description: 'The language of `content`. A shortcut may have a reply in each language. Null: any',
  })
  @Check('language', findLanguageFault)
  language?: string | null;

  @OneOf(REPLY_ACTIONS, {
    optional: true,
    nullable: true,
    description: 'What the console does after the reply is sent. Null: nothing',
  })
  action?: ReplyAction | null;

  @Text(1, 64, { optional: true, nullable: true, description: 'Where `TRANSFER` moves the chat' })
  actionGroupId?: string | null;
}

class GroupReplyDetails extends ReplyDetails {
  @Text(1, 64, { optional: true, nullable: true, description: 'Only agents of this group get it. Null: all agents' })
  groupId?: string | null;
}

export class NewReplyDto extends GroupReplyDetails implements NewCannedReply {
  @Shortcut()
  shortcut!: string;

  @Text(1, 5000, { example: 'We are here from 9 to 17.' })
  content!: string;
}

export class UpdateReplyDto extends GroupReplyDetails implements Partial<NewCannedReply> {
  @Shortcut(true)
  shortcut?: string;

  @Text(1, 5000, { optional: true })
  content?: string;
}

export class NewOwnReplyDto extends ReplyDetails implements NewCannedReply {
  @Shortcut()
  shortcut!: string;

  @Text(1, 5000, { example: 'Ada here. How can I help?' })
  content!: string;
}

export class UpdateOwnReplyDto extends ReplyDetails implements Partial<NewCannedReply> {
  @Shortcut(true)
  shortcut?: string;

  @Text(1, 5000, { optional: true })
  content?: string;
}

export class OwnRepliesQuery implements PageQuery {
  @QueryInteger(1, MAX_PERSONAL, { default: MAX_PERSONAL, description: 'How many to answer at most' })
  limit: number = MAX_PERSONAL;

  @Cursor()
  cursor?: string;
}

export class ReplyResponse {
  @ApiProperty({ example: 'rpl_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ example: 'hours' })
  shortcut!: string;

  @ApiProperty()
  content!: string;

  @ApiProperty({ type: String, nullable: true, example: 'de' })
  language!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Null: all agents get it' })
  groupId!: string | null;

  @ApiProperty({ enum: [...REPLY_ACTIONS], nullable: true })
  action!: ReplyAction | null;

  @ApiProperty({ type: String, nullable: true, description: 'Where `TRANSFER` moves the chat' })
  actionGroupId!: string | null;

  @ApiProperty({ description: 'Whether it is the agent’s own' })
  isOwn!: boolean;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: string;
}

export class RepliesResponse {
  @ApiProperty({ type: () => [ReplyResponse] })
  replies!: ReplyResponse[];

  @ApiProperty({ type: String, nullable: true, description: 'Ask for the next page with it; null at the end' })
  nextCursor!: string | null;
}

export function toReplyResponse(reply: CannedReply): ReplyResponse {
  const { id, shortcut, content, language, groupId, action, actionGroupId, agentId, createdAt } = reply;
  const isOwn = agentId !== null;
  return { id, shortcut, content, language, groupId, action, actionGroupId, isOwn, createdAt: createdAt.toISOString() };
}
