import { ApiProperty } from '@nestjs/swagger';
import { EventChatResponse } from '../chats.dto.js';
import { SearchPageFields, SearchResultFields } from '../search.dto.js';

class BotSearchResultResponse extends SearchResultFields {
  @ApiProperty({ type: () => EventChatResponse })
  chat!: EventChatResponse;
}

export class BotSearchResponse extends SearchPageFields {
  @ApiProperty({ type: () => [BotSearchResultResponse] })
  results!: BotSearchResultResponse[];
}
