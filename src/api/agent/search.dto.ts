import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { FoundNoteResponse, SearchPageFields, SearchResultFields } from '../search.dto.js';
import { ChatRowResponse } from './chats.dto.js';

class SearchResultResponse extends SearchResultFields {
  @ApiProperty({ type: () => ChatRowResponse })
  chat!: ChatRowResponse;

  @ApiPropertyOptional({ type: () => FoundNoteResponse, description: 'The newest match, if it’s a note' })
  note?: FoundNoteResponse;
}

export class SearchResponse extends SearchPageFields {
  @ApiProperty({ type: () => [SearchResultResponse] })
  results!: SearchResultResponse[];
}
