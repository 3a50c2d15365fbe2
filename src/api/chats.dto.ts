import { ApiProperty } from '@nestjs/swagger';
import type { Attributes } from '../attributes/attributes.js';
import { type Channel, CHANNELS } from '../chats/model/channel.js';
import { CHAT_STATUSES, type ChatStatus, type Owner, ownerOf, OWNERS } from '../chats/model/chat-status.js';
import { type ReadState, toAssignee } from '../chats/reading/chat-state.js';
import { NamedResponse } from '../platform/http/responses/problem.dto.js';
import { MESSAGE_RATINGS, type MessageRatingValue } from '../chats/model/message-rating-row.entity.js';
import type { MessageRating } from '../chats/reading/message-ratings.queries.js';
import type { Rating } from '../chats/reading/ratings.queries.js';
import { PageQuery } from '../platform/validation/paging.js';
import { OneOf } from '../platform/validation/validators.js';
import type { ChatOverview } from '../messages/chat-overview.queries.js';
import { MessageResponse } from './messages.dto.js';
import type { GivenParameter } from '../platform/validation/validation-rules.js';
import { AttributeFilters } from './attribute-filters.dto.js';
import { AttributesOf, TagFilters } from './chat-changes.dto.js';

/** How far each side has read, as a `seq`; 0 when it has read no message. */
export class ReadMarks implements ReadState {
  @ApiProperty({ type: 'integer' })
  visitor!: number;

  @ApiProperty({ type: 'integer', description: 'Bots and agents together' })
  organization!: number;
}

export class ChatsQuery extends PageQuery {
  @OneOf(CHAT_STATUSES, { optional: true, description: 'All when omitted' })
  status?: ChatStatus;

  @OneOf(OWNERS, { optional: true, description: 'Who is expected to answer. All when omitted' })
  owner?: Owner;

  @TagFilters()
  tag?: string[];

  @AttributeFilters()
  attributes?: GivenParameter[];
}

/** Who a visitor is. */
export class NamedVisitorResponse {
  @ApiProperty({ example: 'vis_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ type: String, nullable: true })
  name!: string | null;

  @ApiProperty({ type: String, nullable: true })
  email!: string | null;
}

export class ChatVisitorResponse extends NamedVisitorResponse {
  @ApiProperty({ description: 'Whether `name` and `email` came with an identity that your own server signed' })
  isVerified!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The `sub` of the identity that your own server signed; null for an anonymous visitor',
  })
  externalId!: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'What the page says about the visitor. It is never verified: anyone may have typed it',
  })
  metadata!: Record<string, unknown>;

  @AttributesOf('What bots, agents, and administrators know of the visitor. The visitor never sees it')
  attributes!: Attributes;

  @AttributesOf('What the identity that your own server signed says of the visitor')
  verifiedAttributes!: Attributes;
}

export class ChatGroupResponse extends NamedResponse {
  @ApiProperty({
    type: String,
    nullable: true,
    description: "The only bot that gets the group's chats; null: every bot does",
  })
  botId!: string | null;
}

/** What the visitor says of a chat that has ended (CONTRACT: Ratings). */
export class RatingResponse implements Rating {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 5, description: '5 is the best' })
  score!: number;

  @ApiProperty({ type: String, nullable: true })
  comment!: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  ratedAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'The last change; null: never' })
  changedAt!: string | null;
}

/** What the visitor says of a bot's message (CONTRACT: Ratings). */
export class MessageRatingResponse implements MessageRating {
  @ApiProperty({ example: 'msg_01h455vb4pex5vsknk084sn02q' })
  messageId!: string;

  @ApiProperty({ type: 'integer', description: 'The `seq` of the message' })
  seq!: number;

  @ApiProperty({ enum: [...MESSAGE_RATINGS] })
  rating!: MessageRatingValue;

  @ApiProperty({ type: String, nullable: true })
  comment!: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  ratedAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'The last change; null: never' })
  changedAt!: string | null;
}

/** A chat in an event, as it is right after it (CONTRACT: Webhooks). */
export class EventChatResponse {
  @ApiProperty({ example: 'cht_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ enum: [...CHAT_STATUSES] })
  status!: ChatStatus;

  @ApiProperty({ enum: [...CHANNELS] })
  channel!: Channel;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  lastMessageAt!: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The first message of a bot or agent',
  })
  firstResponseAt!: string | null;

  @ApiProperty({ type: 'integer', description: 'The highest `seq` of its messages' })
  messageCount!: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'What the page said when the chat was created. It is never verified',
  })
  metadata!: Record<string, unknown>;

  @ApiProperty({ type: () => ChatVisitorResponse })
  visitor!: ChatVisitorResponse;

  @ApiProperty({ type: () => ChatGroupResponse })
  group!: ChatGroupResponse;

  @ApiProperty({ enum: [...OWNERS], description: 'Who is expected to answer' })
  owner!: Owner;

  @ApiProperty({ type: () => NamedResponse, nullable: true, description: 'The agent who has it' })
  assignedTo!: NamedResponse | null;

  @ApiProperty({ type: [String], description: 'The tags of the chat, by name. Visitors never see them' })
  tags!: string[];

  @AttributesOf('What bots, agents, and administrators know of the chat. The visitor never sees it')
  attributes!: Attributes;
}

/** A chat as bots see it (CONTRACT: Bot API). */
export class ChatResponse extends EventChatResponse {
  @ApiProperty({ type: String, nullable: true, description: 'What a bot or an agent calls the chat' })
  title!: string | null;

  @ApiProperty({ type: () => [MessageResponse], description: 'Up to 5 latest, oldest first' })
  messages!: MessageResponse[];
}

export class ChatsResponse {
  @ApiProperty({ type: () => [ChatResponse], description: 'Up to `limit` and about 1 MB, at least one' })
  chats!: ChatResponse[];

  @ApiProperty({ type: String, nullable: true, description: 'Ask for the next page with it; null at the end' })
  nextCursor!: string | null;
}

export function toChatResponse(row: ChatOverview): ChatResponse {
  return {
    id: row.id,
    status: row.status,
    channel: row.channel,
    title: row.title,
    createdAt: row.createdAt.toISOString(),
    lastMessageAt: row.lastMessageAt?.toISOString() ?? null,
    firstResponseAt: row.firstResponseAt?.toISOString() ?? null,
    messageCount: row.messageCount,
    metadata: row.metadata ?? {},
    visitor: {
      id: row.visitorId,
      name: row.visitorName,
      email: row.visitorEmail,
      isVerified: row.visitorIsVerified,
      externalId: row.visitorExternalId,
      metadata: row.visitorMetadata ?? {},
      attributes: row.visitorAttributes ?? {},
      verifiedAttributes: row.visitorVerifiedAttributes ?? {},
    },
    group: { id: row.groupId, name: row.groupName, botId: row.groupBotId },
    owner: ownerOf(row.status, row.agentId),
    assignedTo: toAssignee(row),
    tags: row.tags ?? [],
    attributes: row.attributes ?? {},
    messages: row.messages,
  };
}
