import { ApiProperty } from '@nestjs/swagger';
import type { NoteView } from '../../inbox/notes.service.js';
import { Text } from '../../platform/validation/validators.js';
import { NamedResponse } from '../../platform/http/responses/problem.dto.js';

export class NewNoteDto {
  @Text(1, 5000, { example: 'Has called before', description: 'Only agents see it' })
  content!: string;
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
}

export class NotesResponse {
  @ApiProperty({ type: () => [NoteResponse], description: 'Oldest first' })
  notes!: NoteResponse[];

  @ApiProperty({ type: String, nullable: true, description: 'Ask for the next page with it; null at the end' })
  nextCursor!: string | null;
}
