import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type Channel, CHANNELS } from '../../chats/model/channel.js';
import { type Owner, OWNERS, CHAT_STATUSES, type ChatStatus } from '../../chats/model/chat-status.js';
import { MAX_SEQ } from '../../chats/reading/chat-state.js';
import type { Counts } from '../../inbox/views/counts.queries.js';
import { MAX_FOUND } from '../../inbox/views/find.queries.js';
import type { InboxRow, PendingOffer, SnoozeState } from '../../inbox/views/inbox-row.js';
import type { LastMessage } from '../../inbox/views/rows.queries.js';
import { MAX_ROWS, type View, VIEWS, VIEWS_BY_AGENT } from '../../inbox/views/views.queries.js';
import { MAX_MESSAGES, MESSAGE_TYPES, type MessageType } from '../../messages/message.js';
import {
  Check,
  Cursor,
  Name,
  OneOf,
  PositionCursor,
  QueryInteger,
  Text,
} from '../../platform/validation/validators.js';
import type { Position } from '../../platform/lib/cursor.js';
import { NamedVisitorResponse, ReadMarks } from '../chats.dto.js';
import { NamedResponse } from '../../platform/http/responses/problem.dto.js';
import { MISSED_MAIL_STATUSES, type MissedMailState } from '../../mail/model/mail.js';
import { MessageResponse, MessagesResponse, SenderResponse } from '../messages.dto.js';
import type { GivenParameter } from '../../platform/validation/validation-rules.js';
import { AttributeFilters } from '../attribute-filters.dto.js';
import { TagFilters } from '../chat-changes.dto.js';

/** The query of a view. */
export class ViewQuery {
  @OneOf(VIEWS, { optional: true, description: 'Omitted: `MINE`' })
  view: View = 'MINE';

  @Text(1, 64, { optional: true, description: 'Only chats of this group' })
  groupId?: string;

  @Text(1, 64, {
    optional: true,
    description:
      'Only with `OPEN` or `SNOOZED`: chats of this agent; with `CLOSED`: that the agent had last. `SNOOZED` without it has your own',
  })
  @Check('viewByAgent', findAgentFault)
  agentId?: string;

  @OneOf(['true'], {
    optional: true,
    description: 'Only with `MINE` or `OPEN` and `agentId`: chats whose visitor waits for an answer',
  })
  @Check('unanswered', findUnansweredFault)
  unanswered?: 'true';

  @TagFilters()
  tag?: string[];

  @AttributeFilters()
  attributes?: GivenParameter[];

  @QueryInteger(1, MAX_ROWS, { default: 50, description: 'The most items in the response' })
  limit: number = 50;

  @PositionCursor()
  cursor?: Position;
}

function findAgentFault(_: unknown, query: object): string | null {
  return VIEWS_BY_AGENT.includes((query as ViewQuery).view)
    ? null
    : `needs one of the views ${VIEWS_BY_AGENT.join(', ')}`;
}

// Without an agent, the unanswered chats of a group could be few among very many.
function findUnansweredFault(_: unknown, query: object): string | null {
  const { view, agentId } = query as ViewQuery;
  return view === 'MINE' || (view === 'OPEN' && agentId !== undefined)
    ? null
    : 'needs the view MINE, or OPEN and agentId';
}

/** The query of a search. */
export class ChatSearchQuery {
  @Name(200, {
    description:
      'The beginning of the visitor’s name, last name, email, or `externalId`, or the id of a chat or a visitor',
  })
  search!: string;
}

/** The query of a visitor's chats. */
export class VisitorChatsQuery {
  @QueryInteger(1, MAX_ROWS, { default: 20, description: 'The most items in the response' })
  limit: number = 20;

  @Cursor()
  cursor?: string;
}

/** The query of a chat's messages: after one `seq`, or backwards before one. */
export class AgentMessagesQuery {
  @QueryInteger(0, MAX_SEQ, { description: 'Only messages after this `seq`; omitted: 0' })
  afterSeq?: number;

  @QueryInteger(1, MAX_SEQ, { description: 'The messages before this `seq`; not together with `afterSeq`' })
  @Check('oneDirection', findDirectionFault)
  beforeSeq?: number;

  @QueryInteger(1, MAX_MESSAGES, { default: 50, description: 'The most items in the response' })
  limit: number = 50;
}

function findDirectionFault(_: unknown, query: object): string | null {
  return (query as AgentMessagesQuery).afterSeq === undefined ? null : 'must not be given together with afterSeq';
}

export class RowVisitorResponse extends NamedVisitorResponse {
  @ApiProperty({ description: 'Whether name and email come from a signed identity' })
  isVerified!: boolean;
}

class LastFileResponse {
  @ApiProperty()
  name!: string;

  @ApiProperty({ description: 'What the bytes are', example: 'image/png' })
  type!: string;
}

class LastMessageResponse implements LastMessage {
  @ApiProperty({ example: 'msg_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ type: 'integer', minimum: 1 })
  seq!: number;

  @ApiProperty({ enum: [...MESSAGE_TYPES] })
  type!: MessageType;

  @ApiProperty({ description: 'The first 300 characters' })
  content!: string;

  @ApiProperty({ type: () => SenderResponse })
  sender!: SenderResponse;

  @ApiProperty({
    type: Object,
    additionalProperties: true,
    nullable: true,
    description: 'Of a system message, with its `event`; null for other messages',
  })
  metadata!: Record<string, unknown> | null;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: string;

  @ApiPropertyOptional({ type: () => [LastFileResponse], description: 'Absent without any' })
  files?: LastFileResponse[];
}

class AllReadMarks extends ReadMarks {
  @ApiProperty({ type: 'integer', description: 'All agents share one mark' })
  agents!: number;
}

class PendingOfferResponse implements PendingOffer {
  @ApiProperty({ example: 'agt_01h455vb4pex5vsknk084sn02q' })
  agentId!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  expiresAt!: string;
}

class SnoozeResponse implements SnoozeState {
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Null: until the visitor writes' })
  until!: string | null;
}

/** A chat in a list of agents. */
export class ChatRowResponse implements InboxRow {
  @ApiProperty({ example: 'cht_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ enum: [...CHAT_STATUSES] })
  status!: ChatStatus;

  @ApiProperty({ enum: [...OWNERS], description: 'Who is expected to answer' })
  owner!: Owner;

  @ApiProperty({ enum: [...CHANNELS] })
  channel!: Channel;

  @ApiProperty({ type: () => NamedResponse })
  group!: NamedResponse;

  @ApiProperty({ type: () => NamedResponse, nullable: true })
  assignedTo!: NamedResponse | null;

  @ApiProperty({
    type: () => NamedResponse,
    nullable: true,
    description: 'The agent who had it last, even after it ended',
  })
  lastAgent!: NamedResponse | null;

  @ApiProperty({ type: () => RowVisitorResponse })
  visitor!: RowVisitorResponse;

  @ApiProperty({ type: () => LastMessageResponse, nullable: true })
  lastMessage!: LastMessageResponse | null;

  @ApiProperty({
    type: () => LastMessageResponse,
    nullable: true,
    description: 'If `lastMessage` is a system message: what the visitor, a bot, or an agent wrote before it',
  })
  lastWords!: LastMessageResponse | null;

  @ApiProperty({ type: 'integer', description: 'The highest `seq` of its messages' })
  messageCount!: number;

  @ApiProperty({ description: 'The visitor wrote after the agents’ read mark' })
  isUnread!: boolean;

  @ApiProperty({ type: () => AllReadMarks, description: 'How far each side has read, as a `seq`' })
  read!: AllReadMarks;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The time of the visitor’s first message without an answer from a bot or an agent',
  })
  waitingSince!: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Since when its bots haven’t taken the visitor’s message; null: they have, or it’s not noticed yet',
  })
  botSilentSince!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Since when it waits for an agent' })
  queuedAt!: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  lastMessageAt!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  closedAt!: string | null;

  @ApiProperty({
    type: 'integer',
    description:
      'Rises with every change other than a message. Of two rows, the one with the higher `rev` or `messageCount` is newer',
  })
  rev!: number;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 5, nullable: true, description: 'The visitor’s rating' })
  score!: number | null;

  @ApiProperty({ type: [String], description: 'By name' })
  tags!: string[];

  @ApiProperty({ type: 'integer', description: 'E-mails that agents are to check' })
  mailsToCheck!: number;

  @ApiProperty({ type: () => PendingOfferResponse, nullable: true, description: 'The pending offer to an agent' })
  offer!: PendingOfferResponse | null;

  @ApiProperty({ type: () => SnoozeResponse, nullable: true, description: 'Set while its agent snoozes it' })
  snooze!: SnoozeResponse | null;
}

/** What is left of a chat that the agent may no longer see. */
export class GoneRowResponse {
  @ApiProperty({ example: 'cht_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ type: 'integer' })
  rev!: number;

  @ApiProperty({ enum: [true] })
  isGone!: true;

  @ApiPropertyOptional({ enum: [true], description: 'The chat was erased, or removed after its time' })
  isRemoved?: true;
}

export class ChatRowsResponse {
  @ApiProperty({ type: () => [ChatRowResponse] })
  chats!: ChatRowResponse[];

  @ApiProperty({ type: String, nullable: true, description: 'Ask for the next page with it; null at the end' })
  nextCursor!: string | null;
}

export class FoundChatsResponse {
  @ApiProperty({ type: () => [ChatRowResponse], description: `Up to ${MAX_FOUND}` })
  chats!: ChatRowResponse[];
}

export class CountsResponse implements Counts {
  @ApiProperty({ type: 'integer', maximum: 999 })
  mine!: number;

  @ApiProperty({ type: 'integer', maximum: 999 })
  mineUnread!: number;

  @ApiProperty({ type: 'integer', maximum: 999 })
  snoozed!: number;

  @ApiProperty({ type: 'integer', maximum: 999 })
  waiting!: number;

  @ApiProperty({ type: 'integer', maximum: 999 })
  bot!: number;

  @ApiProperty({ type: 'integer', maximum: 999, description: 'Notes that mention the agent, not seen yet' })
  mentions!: number;
}

class MissedMailResponse implements MissedMailState {
  @ApiProperty({
    enum: [...MISSED_MAIL_STATUSES],
    description: '`TOO_MANY`: the address is not verified, and has reached its limit',
  })
  status!: MissedMailState['status'];

  @ApiProperty({ type: String, format: 'date-time', description: 'When it was sent; otherwise, when it was queued' })
  at!: Date;
}

class AgentMessageResponse extends MessageResponse {
  @ApiPropertyOptional({
    description:
      'Of a message that arrived as an e-mail: up to 10,000 characters with quotes; absent if the message has all of it',
  })
  fullText?: string;

  @ApiPropertyOptional({
    type: () => MissedMailResponse,
    description: "Of an agent's or bot's message: what became of the e-mail about it; absent without one",
  })
  mail?: MissedMailResponse;
}

/** Messages of a chat, in order. */
export class AgentMessagesResponse extends MessagesResponse {
  @ApiProperty({ type: () => [AgentMessageResponse], description: 'Up to `limit` and about 1 MB, at least one' })
  declare messages: AgentMessageResponse[];
}
