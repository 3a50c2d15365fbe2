import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import type { Attributes } from '../../attributes/attributes.js';
import { Check, OneOf, SearchCursor, Text } from '../../platform/validation/validators.js';
import type { TextPosition } from '../../platform/lib/cursor.js';
import { TurnResponse } from './bot-turns.dto.js';
import { PageSizeQuery } from '../../platform/validation/paging.js';
import type { VisitorSearch } from '../../visitors/visitor-search.queries.js';
import { NamedResponse } from '../../platform/http/responses/problem.dto.js';
import type { BlockedVisitor, VisitorBlock } from '../../visitors/visitor-blocks.queries.js';
import { ADDRESS_STATUSES, type AddressStatus } from '../../visitors/address-status.queries.js';
import { toVisitorView } from '../../visitors/visitor-view.js';
import type { VisitorFilter } from '../../visitors/visitors.queries.js';
import { AttributesOf } from '../chat-changes.dto.js';
import { ChatStateResponse } from '../chat-state.dto.js';
import { MessageRatingResponse } from '../chats.dto.js';
import { MessageResponse } from '../messages.dto.js';
import { AuditActorResponse } from './audit.dto.js';
import { ExportedArrivedMailResponse, ExportedMailResponse } from './mails.dto.js';
import { SHOWN_DISCLOSURE, ShownDisclosureResponse } from './chats.dto.js';
import { NextCursor, TextOrNull, Time } from './response-fields.js';

/** Filters visitors; all given fields must match. */
export class VisitorsQuery extends PageSizeQuery {
  @Text(1, 320, {
    optional: true,
    description: 'How the email, the name, the last word of the name or the `externalId` begins; not with a filter',
  })
  @Check('alone', findFilter)
  search?: string;

  @Text(1, 320, { optional: true })
  email?: string;

  @Text(1, 255, { optional: true })
  externalId?: string;

  @SearchCursor()
  cursor?: string | TextPosition;
}

function findFilter(search: unknown, query: object): string | null {
  const { email, externalId } = query as VisitorsQuery;
  return search === undefined || (email === undefined && externalId === undefined)
    ? null
    : 'must not be given together with email or externalId';
}

export function toVisitorQuery({
  search,
  email,
  externalId,
  cursor,
  limit,
}: VisitorsQuery): VisitorFilter | VisitorSearch {
  return search === undefined
    ? { email, externalId, after: cursor as string | undefined, limit }
    : { text: search, after: cursor as TextPosition | undefined, limit };
}

const MAIL_STATUS =
  'What e-mails to the address meet: they are sent, they came back, or the visitor unsubscribed. Null without an address';

class VisitorResponse {
  @ApiProperty({ example: 'vis_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @TextOrNull({ description: 'The id that your own server signed' })
  externalId!: string | null;

  @TextOrNull()
  name!: string | null;

  @TextOrNull()
  email!: string | null;

  @ApiProperty({ description: 'Whether `name` and `email` came with an identity that your own server signed' })
  isVerified!: boolean;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'What the page says. It is never verified' })
  metadata!: object;

  @AttributesOf('What bots, agents, and administrators know of the visitor')
  attributes!: Attributes;

  @AttributesOf('What the identity that your own server signed says of the visitor')
  verifiedAttributes!: Attributes;

  @Time()
  createdAt!: Date;
}

/** A visitor, with what's known of the address. */
export class VisitorDetailResponse extends VisitorResponse {
  @ApiProperty({ enum: [...ADDRESS_STATUSES], nullable: true, description: MAIL_STATUS })
  mailStatus!: AddressStatus | null;
}

export class VisitorsResponse {
  @ApiProperty({ type: () => [VisitorDetailResponse] })
  visitors!: VisitorDetailResponse[];

  @NextCursor()
  nextCursor!: string | null;
}

class ExportedBotNoteResponse {
  @ApiProperty({ type: String, nullable: true, description: "The author's name" })
  by!: string | null;

  @ApiProperty()
  text!: string;
}

class ExportedBotStateResponse {
  @ApiProperty({ example: 'bot_01h455vb4pex5vsknk084sn02q' })
  botId!: string;

  @ApiProperty({ type: 'object', additionalProperties: true })
  state!: object;

  @Time()
  updatedAt!: Date;
}

class ExportedHandoffResponse {
  @ApiProperty({ example: 'hof_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ type: () => AuditActorResponse, description: 'Who queued the chat' })
  by!: AuditActorResponse;

  @TextOrNull()
  reason!: string | null;

  @TextOrNull({ description: 'For agents' })
  summary!: string | null;

  @TextOrNull({ description: "The agent's note to the bot" })
  note!: string | null;

  @Time()
  beganAt!: Date;

  @Time({ nullable: true })
  endedAt!: Date | null;

  @TextOrNull()
  outcome!: string | null;
}

class ExportedNoteResponse {
  @ApiProperty({ example: 'not_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty()
  content!: string;

  @ApiProperty({ type: () => NamedResponse })
  author!: NamedResponse;

  @Time()
  createdAt!: Date;

  @Time({ nullable: true })
  editedAt!: Date | null;
}

class ExportedTranscriptResponse {
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'In the form of the endpoint' })
  content!: object;

  @Time()
  updatedAt!: Date;
}

class ExportedTurnResponse extends OmitType(TurnResponse, ['chatId', 'firstTokenMs', 'runs']) {
  @ApiProperty({ example: 'bot_01h455vb4pex5vsknk084sn02q' })
  botId!: string;
}

class ExportedTagResponse {
  @ApiProperty()
  name!: string;
}

class ExportedPersonRequestResponse {
  @Time()
  requestedAt!: Date;
}

class ExportedRatingResponse extends OmitType(MessageRatingResponse, ['messageId', 'seq']) {}

class ExportedMessageResponse extends MessageResponse {
  @ApiPropertyOptional({ type: () => ExportedRatingResponse, description: 'How the visitor rated a message of a bot' })
  rating?: ExportedRatingResponse;
}

class ExportedChatResponse extends ChatStateResponse {
  @TextOrNull({ description: 'What a bot or an agent calls the chat' })
  title!: string | null;

  @ApiProperty({ type: () => ShownDisclosureResponse, nullable: true, description: SHOWN_DISCLOSURE })
  aiDisclosure!: ShownDisclosureResponse | null;

  @ApiProperty({
    type: () => ExportedBotNoteResponse,
    nullable: true,
    description: 'The newest note to the bot that got the chat',
  })
  botNote!: ExportedBotNoteResponse | null;

  @AttributesOf('What bots, agents, and administrators know of the chat')
  attributes!: Attributes;

  @ApiProperty({ type: () => [ExportedMessageResponse], description: 'All of them, in order' })
  messages!: ExportedMessageResponse[];

  @ApiProperty({ type: () => [ExportedBotStateResponse], description: 'What bots keep about the chat' })
  botStates!: ExportedBotStateResponse[];

  @ApiProperty({
    type: () => [ExportedHandoffResponse],
    description: 'Its stays in the queue, with what bots and agents wrote for agents',
  })
  handoffs!: ExportedHandoffResponse[];

  @ApiProperty({ type: () => [ExportedNoteResponse], description: "Agents' notes" })
  notes!: ExportedNoteResponse[];

  @ApiProperty({
    type: () => [ExportedPersonRequestResponse],
    description: 'The wish for a person that is not answered yet',
  })
  personRequests!: ExportedPersonRequestResponse[];

  @ApiProperty({ type: () => [ExportedTagResponse], description: 'The tags of the chat' })
  tags!: ExportedTagResponse[];

  @ApiProperty({ type: () => [ExportedMailResponse], description: 'E-mails about the chat, without their texts' })
  mails!: ExportedMailResponse[];

  @ApiProperty({ type: () => [ExportedArrivedMailResponse], description: 'E-mails that arrived for the chat' })
  arrivedMails!: ExportedArrivedMailResponse[];

  @ApiProperty({ type: () => [ExportedTranscriptResponse], description: "What a connected bot's endpoint gets back" })
  transcript!: ExportedTranscriptResponse[];

  @ApiProperty({ type: () => [ExportedTurnResponse], description: 'The turns of connected bots' })
  turns!: ExportedTurnResponse[];
}

class ExportedBlockResponse implements VisitorBlock {
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Null: without an end' })
  until!: string | null;

  @ApiProperty({ type: String, nullable: true })
  reason!: string | null;

  @ApiProperty({ type: () => NamedResponse })
  by!: NamedResponse;

  @ApiProperty({ type: String, format: 'date-time' })
  blockedAt!: string;
}

export class BlockedVisitorResponse extends VisitorResponse {
  @ApiProperty({ type: () => ExportedBlockResponse })
  block!: ExportedBlockResponse;
}

export class BlockedVisitorsResponse {
  @ApiProperty({ type: () => [BlockedVisitorResponse] })
  visitors!: BlockedVisitorResponse[];

  @NextCursor()
  nextCursor!: string | null;
}

export function toBlockedVisitor(row: BlockedVisitor): BlockedVisitorResponse {
  return { ...toVisitorView(row), block: row.block };
}

export class VisitorExportQuery {
  @OneOf(['true'], { optional: true, description: 'With the bytes of files, as a zip' })
  files?: 'true';
}

export class VisitorExportResponse {
  @ApiProperty({ type: () => VisitorDetailResponse })
  visitor!: VisitorDetailResponse;

  @ApiProperty({ type: () => ExportedBlockResponse, nullable: true, description: 'Null: the visitor is not blocked' })
  block!: ExportedBlockResponse | null;

  @ApiProperty({ type: () => [ExportedChatResponse] })
  chats!: ExportedChatResponse[];
}
