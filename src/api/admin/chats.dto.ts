import { ApiProperty } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import type { AttributeChange } from '../../attributes/attributes.js';
import { CHAT_STATUSES, type ChatStatus } from '../../chats/model/chat-status.js';
import type { ShownDisclosure } from '../../chats/reading/chats.queries.js';
import { ChangedAttributesOf } from '../chat-changes.dto.js';
import { ChatResponse } from '../chats.dto.js';
import { Nested, OneOf, Text } from '../../platform/validation/validators.js';

export class NewVisitorDto {
  @Text(1, 200, { optional: true })
  name?: string;

  @Text(1, 320, { optional: true })
  email?: string;
}

export class CreateChatDto {
  @Nested(() => NewVisitorDto, { optional: true })
  visitor?: NewVisitorDto;

  /** The group's id; omitted: the default group. */
  @Text(1, 64, { optional: true })
  groupId?: string;
}

export class UpdateChatDto {
  /** Needed when `attributes` are not given. */
  @ValidateIf(({ status, attributes }: UpdateChatDto) => status !== undefined || attributes === undefined)
  @OneOf(CHAT_STATUSES)
  status?: ChatStatus;

  @ChangedAttributesOf('What is known of the chat', { isOptional: true })
  attributes?: AttributeChange;
}

/** What `aiDisclosure` of a chat is. */
export const SHOWN_DISCLOSURE =
  'What the visitor read before the first word of an AI; null if none wrote, or the widget did not begin the chat';

export class ShownDisclosureResponse implements ShownDisclosure {
  @ApiProperty()
  text!: string;

  @ApiProperty({ description: "The BCP 47 tag of the widget's language" })
  locale!: string;

  @ApiProperty({ type: 'integer', description: 'The first message of an AI, before which it was shown' })
  seq!: number;
}

export class AdminChatResponse extends ChatResponse {
  @ApiProperty({ type: () => ShownDisclosureResponse, nullable: true, description: SHOWN_DISCLOSURE })
  aiDisclosure!: ShownDisclosureResponse | null;
}

export class NewChatResponse extends AdminChatResponse {
  @ApiProperty({ description: 'Opens the chat as its visitor' })
  visitorToken!: string;
}
