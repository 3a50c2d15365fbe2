import { ApiProperty } from '@nestjs/swagger';
import { ChatRowResponse } from './chats.dto.js';

export class FollowedChatsResponse {
  @ApiProperty({ type: () => [ChatRowResponse], description: 'Up to 50, last followed first' })
  chats!: ChatRowResponse[];

  @ApiProperty({ type: String, enum: [null], nullable: true, description: 'Always null: there is one page' })
  nextCursor!: null;
}
