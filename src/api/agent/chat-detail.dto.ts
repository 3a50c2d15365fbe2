import { ApiProperty } from '@nestjs/swagger';
import { CHAT_STATUSES, type ChatStatus } from '../../chats/model/chat-status.js';
import type { FailureCause } from '../../chats/model/handoff.entity.js';
import type { ChatMissedMail, EarlierChat, HandoffSummary } from '../../inbox/views/detail.queries.js';
import type { Attributes } from '../../attributes/attributes.js';
import { AttributesOf } from '../chat-changes.dto.js';
import { FileResponse } from '../files.dto.js';
import type { MailToCheck } from '../../inbox/views/mails-to-check.js';
import { MessageRatingResponse, RatingResponse } from '../chats.dto.js';
import type { ViewedChat } from '../../live/agents/viewed-chats.js';
import { MISSED_MAIL_STATUSES } from '../../mail/model/mail.js';
import { NamedResponse } from '../../platform/http/responses/problem.dto.js';
import { ADDRESS_STATUSES, type AddressStatus } from '../../visitors/address-status.queries.js';
import { VisitorBlockResponse } from './blocks.dto.js';
import { ChatRowResponse, RowVisitorResponse } from './chats.dto.js';

class DetailVisitorResponse extends RowVisitorResponse {
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'What the page says. It is never verified' })
  metadata!: Record<string, unknown>;

  @AttributesOf('What bots, agents, and administrators know of the visitor')
  attributes!: Attributes;

  @AttributesOf('What the identity that your own server signed says of the visitor')
  verifiedAttributes!: Attributes;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: () => VisitorBlockResponse, nullable: true, description: 'Null: the visitor is not blocked' })
  block!: VisitorBlockResponse | null;

  @ApiProperty({
    enum: [...ADDRESS_STATUSES],
    nullable: true,
    description:
      'What e-mails to the address meet: they are sent, they came back, or the visitor unsubscribed. Null without an address, or if this installation sends no e-mails',
  })
  mailStatus!: AddressStatus | null;
}

class FailureCauseResponse implements FailureCause {
  @ApiProperty({ example: 'TimeoutError' })
  name!: string;

  @ApiProperty({ example: 'The model did not answer in 60 s' })
  message!: string;
}

class HandoffResponse implements HandoffSummary {
  @ApiProperty({ example: 'hof_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ type: String, nullable: true, description: 'Why the bot transferred it; the visitor saw it' })
  reason!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'For agents; visitors never see it' })
  summary!: string | null;

  @ApiProperty({
    type: () => FailureCauseResponse,
    nullable: true,
    description: 'The error that made a bot transfer it; visitors never see it',
  })
  cause!: FailureCauseResponse | null;

  @ApiProperty({ type: String, format: 'date-time' })
  queuedAt!: string;
}

class EarlierChatResponse implements EarlierChat {
  @ApiProperty({ example: 'cht_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ enum: [...CHAT_STATUSES] })
  status!: ChatStatus;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  closedAt!: string | null;

  @ApiProperty({ type: 'integer' })
  messageCount!: number;
}

class MailToCheckResponse implements MailToCheck {
  @ApiProperty({ example: 'inm_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ type: String, nullable: true, description: 'The sender’s address, which nothing has verified' })
  from!: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  receivedAt!: string;

  @ApiProperty()
  text!: string;

  @ApiProperty({ type: () => [FileResponse] })
  files!: FileResponse[];
}

class ChatMissedMailResponse implements ChatMissedMail {
  @ApiProperty({ type: 'integer', description: 'It is about the messages after this `seq`' })
  afterSeq!: number;

  @ApiProperty({ enum: [...MISSED_MAIL_STATUSES] })
  status!: ChatMissedMail['status'];

  @ApiProperty({ type: String, format: 'date-time', description: 'When it was sent; otherwise, when it was queued' })
  at!: string;
}

/** A chat with what an agent needs to answer it. */
export class ChatDetailResponse extends ChatRowResponse implements ViewedChat {
  @ApiProperty({ type: () => DetailVisitorResponse })
  declare visitor: DetailVisitorResponse;

  @ApiProperty({ type: 'object', additionalProperties: true })
  metadata!: Record<string, unknown>;

  @AttributesOf('What bots, agents, and administrators know of the chat')
  attributes!: Attributes;

  @ApiProperty({ type: String, nullable: true, description: 'What a bot or an agent calls the chat' })
  title!: string | null;

  @ApiProperty({
    type: () => HandoffResponse,
    nullable: true,
    description: 'The latest stay in the queue, running or ended',
  })
  handoff!: HandoffResponse | null;

  @ApiProperty({ type: () => [NamedResponse], description: 'The agents who have it open' })
  viewers!: NamedResponse[];

  @ApiProperty({ type: () => [EarlierChatResponse], description: 'Up to 10 of the same visitor, latest first' })
  earlierChats!: EarlierChatResponse[];

  @ApiProperty({ type: () => RatingResponse, nullable: true, description: 'The visitor’s rating' })
  rating!: RatingResponse | null;

  @ApiProperty({
    type: () => [MessageRatingResponse],
    description: 'How the visitor rated messages of bots: the newest 200, in the order of the messages',
  })
  messageRatings!: MessageRatingResponse[];

  @ApiProperty({
    type: () => [MailToCheckResponse],
    description: 'E-mails to accept or drop, oldest first, at most 50',
  })
  mails!: MailToCheckResponse[];

  @ApiProperty({ description: 'Whether `POST …/transcript` is possible now' })
  canSendTranscript!: boolean;

  @ApiProperty({
    type: () => ChatMissedMailResponse,
    nullable: true,
    description: 'What became of the newest e-mail about missed answers; null without one',
  })
  missedMail!: ChatMissedMailResponse | null;
}
