import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { NamedResponse } from '../../platform/http/responses/problem.dto.js';
import { ChatStateResponse } from '../chat-state.dto.js';
import { ChatResponse, ChatVisitorResponse, MessageRatingResponse, RatingResponse, ReadMarks } from '../chats.dto.js';
import { MessageResponse, MessagesResponse } from '../messages.dto.js';

class VisitorOfChatResponse extends OmitType(ChatVisitorResponse, ['attributes', 'verifiedAttributes']) {}

/** A chat in the list of its visitor. */
export class VisitorChatResponse extends OmitType(ChatResponse, ['group', 'tags', 'attributes', 'visitor']) {
  @ApiProperty({ type: () => VisitorOfChatResponse })
  visitor!: VisitorOfChatResponse;

  @ApiProperty({ type: () => NamedResponse })
  group!: NamedResponse;

  @ApiProperty({ type: () => ReadMarks })
  read!: ReadMarks;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'What a bot or an agent calls the chat; without it, the first 80 characters of what the visitor wrote first',
  })
  declare title: string | null;
}

export class VisitorChatsResponse {
  @ApiProperty({ type: () => [VisitorChatResponse] })
  chats!: VisitorChatResponse[];

  @ApiProperty({ type: String, nullable: true, description: 'Ask for the next page with it; null at the end' })
  nextCursor!: string | null;

  @ApiProperty({
    description: 'Whether the visitor unsubscribed from e-mails, and can ask for them again: `POST …/resubscribe`',
  })
  isUnsubscribed!: boolean;
}

/** What visitors may send. */
export class VisitorUploadsResponse {
  @ApiProperty({ type: 'integer', description: 'Bytes of a file' })
  maxSize!: number;
}

export class OpenedChatResponse extends MessagesResponse {
  @ApiProperty({ type: () => ChatStateResponse })
  chat!: ChatStateResponse;

  @ApiProperty({ description: 'Whether the agent who has the chat sees what the visitor is writing' })
  typingPreview!: boolean;

  @ApiProperty({ type: () => VisitorUploadsResponse, nullable: true, description: 'Null: visitors may send no files' })
  visitorUploads!: VisitorUploadsResponse | null;

  @ApiProperty({
    description:
      'Whether its bot is connected to an address: its answers can be stopped and tried again while the bots have the chat',
  })
  isConnected!: boolean;

  @ApiProperty({
    type: () => [MessageResponse],
    description: 'Deleted messages, without their content, among the last 200 up to `afterSeq`; at most 100',
  })
  deleted!: MessageResponse[];
}

/** A chat as its visitor's sockets get it. */
export class SentChatResponse extends ChatStateResponse {
  @ApiPropertyOptional({ description: 'As in the answer to `chat:open`. Absent if it has not changed since' })
  isConnected?: boolean;
}

export class ClosedChatResponse {
  @ApiProperty({ type: () => ChatStateResponse })
  chat!: ChatStateResponse;
}

export class StoppedAnswerResponse {
  @ApiProperty({
    description:
      'Whether an answer was being written that can be stopped. A bot that calls the bot API ends it after its next live text',
  })
  isStopped!: boolean;
}

export class PersonRequestResponse {
  @ApiProperty({ type: () => ChatStateResponse })
  chat!: ChatStateResponse;
}

export class GivenRatingResponse {
  @ApiProperty({ type: () => RatingResponse })
  rating!: RatingResponse;
}

export class GivenMessageRatingResponse {
  @ApiProperty({ type: () => MessageRatingResponse })
  rating!: MessageRatingResponse;
}

export class MessageRatingsResponse {
  @ApiProperty({ type: () => [MessageRatingResponse], description: 'The newest 200, in the order of the messages' })
  ratings!: MessageRatingResponse[];
}
