import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { MAX_MENTIONS } from '../../inbox/notes/mentions.queries.js';
import type { NoteView } from '../../inbox/notes/note-view.js';
import { MAX_ID_LENGTH } from '../../platform/lib/ids.js';
import { Sized, sizeOfList, sizeOfText } from '../../platform/validation/body-size.js';
import { Check, findTextFault, Text } from '../../platform/validation/validators.js';
import { FileIds, FileResponse } from '../files.dto.js';
import { ChatRowResponse } from './chats.dto.js';
import { NamedResponse } from '../../platform/http/responses/problem.dto.js';

/** The agents whom a note mentions. */
function Mentions(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Check('mentions', findMentionsFault),
    Sized(sizeOfList(MAX_MENTIONS, sizeOfText(MAX_ID_LENGTH))),
    ApiPropertyOptional({
      type: [String],
      maxItems: MAX_MENTIONS,
      uniqueItems: true,
      description: 'The ids of agents to notify',
    }),
  );
}

function findMentionsFault(value: unknown): string | null {
  if (!Array.isArray(value) || value.length > MAX_MENTIONS)
    return `must be an array of at most ${MAX_MENTIONS} agent IDs`;
  if (new Set(value).size < value.length) return 'must not contain the same agent ID twice';
  return value.every((id) => findTextFault(id, 1, MAX_ID_LENGTH) === null) ? null : 'must be an array of agent IDs';
}

export class NewNoteDto {
  @Text(1, 5000, { example: 'Has called before', description: 'Only agents see it' })
  content!: string;

  @Mentions()
  mentions?: string[];

  @FileIds('The ids of completed uploads of the agent in this chat')
  files?: string[];
}

/** A change needs words or files. */
function findContentFault(content: unknown, change: object): string | null {
  if (content === undefined && Array.isArray((change as { files?: unknown }).files)) return null;
  return findTextFault(content, 1, 5000);
}

export class NoteChangeDto {
  @Check('content', findContentFault)
  @Sized(sizeOfText(5000))
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: 5000, description: 'May be omitted with `files`' })
  content?: string;

  @Mentions()
  mentions?: string[];

  @FileIds('The files that the note has then: its own, and completed uploads of the agent in this chat')
  files?: string[];
}

export class NoteResponse implements NoteView {
  @ApiProperty({ example: 'not_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty()
  content!: string;

  @ApiProperty({ type: () => NamedResponse, description: 'With the name at that time' })
  author!: NamedResponse;

  @ApiProperty({ type: 'integer', description: 'The chat’s highest `seq` when it was written' })
  afterSeq!: number;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When its author last changed it' })
  editedAt!: string | null;

  @ApiProperty({ type: () => [NamedResponse], description: 'The agents whom it mentions' })
  mentions!: NamedResponse[];

  @ApiPropertyOptional({ type: () => [FileResponse], description: 'Absent without any' })
  files?: FileResponse[];
}

export class MentionResponse {
  @ApiProperty({ type: () => NoteResponse })
  note!: NoteResponse;

  @ApiProperty({ type: () => ChatRowResponse })
  chat!: ChatRowResponse;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  seenAt!: string | null;
}

export class MentionsResponse {
  @ApiProperty({ type: () => [MentionResponse], description: 'Newest first' })
  mentions!: MentionResponse[];

  @ApiProperty({ type: String, nullable: true, description: 'Ask for the next page with it; null at the end' })
  nextCursor!: string | null;
}

/** `mention` of an agent's socket: a note mentions the agent. */
export class MentionEventResponse {
  @ApiProperty({ type: () => NoteResponse })
  note!: NoteResponse;

  @ApiProperty({ type: () => ChatRowResponse })
  chat!: ChatRowResponse;
}

/** `mentions:seen` of an agent's socket: the agent has seen the mentions in a chat, perhaps in another tab. */
export class MentionsSeenResponse {
  @ApiProperty({ example: 'cht_01h455vb4pex5vsknk084sn02q' })
  chatId!: string;
}

export class NotesResponse {
  @ApiProperty({ type: () => [NoteResponse], description: 'Oldest first' })
  notes!: NoteResponse[];

  @ApiProperty({ type: String, nullable: true, description: 'Ask for the next page with it; null at the end' })
  nextCursor!: string | null;
}
