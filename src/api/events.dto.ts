import type { Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import type { ActorType } from '../auth/context/request-context.js';
import { type Owner, OWNERS } from '../chats/model/chat-status.js';
import { type UnassignReason, HOWS, UNASSIGN_REASONS } from '../chats/model/handoff.entity.js';
import { AVAILABILITIES, type Availability } from '../handoff/availability.js';
import { EVENT_TYPES, type EventType } from '../receivers/event-type.js';
import { NamedResponse } from '../platform/http/responses/problem.dto.js';
import type { AttributeChange } from '../attributes/attributes.js';
import { ChangedValues } from './chat-changes.dto.js';
import { ChatVisitorResponse, EventChatResponse, MessageRatingResponse, RatingResponse } from './chats.dto.js';
import { MessageResponse, SenderResponse } from './messages.dto.js';

const OUTCOMES = ['KEPT', 'RETURNED_TO_BOT'] as const;

/** Who did something. An administrator, a visitor and the service have no name. */
class ActorResponse {
  @ApiProperty({ enum: ['BOT', 'AGENT', 'VISITOR', 'ADMIN', 'SYSTEM'] })
  type!: ActorType;

  @ApiProperty({ type: String, nullable: true })
  id!: string | null;

  @ApiProperty({ type: String, nullable: true })
  name!: string | null;
}

class ChatData {
  @ApiProperty({ type: () => EventChatResponse })
  chat!: EventChatResponse;
}

class MessageCreatedData extends ChatData {
  @ApiProperty({ type: () => MessageResponse })
  message!: MessageResponse;
}

class ChatCreatedData extends ChatData {}

class ChatTransferredData extends ChatData {
  @ApiProperty({ description: 'The group that had the chat' })
  previousGroupId!: string;

  @ApiProperty({ type: () => NamedResponse, nullable: true, description: 'The bot that transferred it' })
  bot!: NamedResponse | null;

  @ApiProperty({ type: String, nullable: true })
  reason!: string | null;

  @ApiProperty({ type: () => ActorResponse })
  by!: ActorResponse;

  @ApiProperty({ example: 'hof_01h455vb4pex5vsknk084sn02q' })
  handoffId!: string;

  @ApiProperty({ type: () => NamedResponse, nullable: true, description: 'The agent who had the chat' })
  previousAgent!: NamedResponse | null;
}

class ChatAssignedData extends ChatData {
  @ApiProperty({ type: () => NamedResponse })
  agent!: NamedResponse;

  @ApiProperty({ enum: [...HOWS] })
  how!: (typeof HOWS)[number];

  @ApiProperty({ type: 'integer', description: 'The time in the queue; 0 for a chat that was with the bots' })
  waitedSeconds!: number;

  @ApiProperty({ type: () => NamedResponse, nullable: true })
  previousAgent!: NamedResponse | null;

  @ApiPropertyOptional({ type: () => ActorResponse, description: 'Who assigned it, when `how` is `ASSIGNED`' })
  by?: ActorResponse;
}

class ChatUnassignedData extends ChatData {
  @ApiProperty({ type: () => NamedResponse })
  agent!: NamedResponse;

  @ApiProperty({ enum: [...UNASSIGN_REASONS] })
  reason!: UnassignReason;
}

class ChatReturnedData extends ChatData {
  @ApiProperty({ type: () => ActorResponse })
  by!: ActorResponse;

  @ApiProperty({ type: String, nullable: true, description: 'What the agent, or the other bot, wants the bot to know' })
  note!: string | null;

  @ApiPropertyOptional({ description: 'If a bot passed it to another one: the group that had the chat' })
  previousGroupId?: string;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'If a bot passed it to another one: why' })
  reason?: string | null;
}

class ChatUnansweredData extends ChatData {
  @ApiProperty({ example: 'hof_01h455vb4pex5vsknk084sn02q' })
  handoffId!: string;

  @ApiProperty({ type: 'integer' })
  waitedSeconds!: number;

  @ApiProperty({ enum: [...AVAILABILITIES] })
  availability!: Availability;

  @ApiProperty({ enum: [...OUTCOMES], description: 'What became of the chat' })
  // oxlint-disable-next-line unicorn/no-thenable -- the contract's name
  then!: (typeof OUTCOMES)[number];
}

class ChatReopenedData extends ChatData {
  @ApiProperty({ type: () => ActorResponse })
  by!: ActorResponse;

  @ApiProperty({ enum: [...OWNERS] })
  owner!: Owner;

  @ApiProperty({ type: () => NamedResponse, nullable: true })
  agent!: NamedResponse | null;
}

class ChatClosedData extends ChatData {
  @ApiProperty({ type: () => ActorResponse })
  by!: ActorResponse;
}

class ChatRatedData extends ChatData {
  @ApiProperty({ type: () => RatingResponse })
  rating!: RatingResponse;

  @ApiProperty({ type: () => ActorResponse })
  by!: ActorResponse;
}

class ChatTaggedData extends ChatData {
  @ApiProperty({ type: [String], description: 'The tags that the chat got' })
  added!: string[];

  @ApiProperty({ type: [String], description: 'The tags that it lost' })
  removed!: string[];

  @ApiProperty({ type: [String], description: 'All tags that it has now, by name' })
  tags!: string[];

  @ApiProperty({ type: () => ActorResponse })
  by!: ActorResponse;
}

class ChatUpdatedData extends ChatData {
  @ChangedValues()
  changed!: AttributeChange;

  @ApiProperty({ type: () => ActorResponse })
  by!: ActorResponse;
}

class VisitorUpdatedData {
  @ApiProperty({ type: () => ChatVisitorResponse })
  visitor!: ChatVisitorResponse;

  @ChangedValues()
  changed!: AttributeChange;

  @ChangedValues('of `verifiedAttributes`')
  changedVerified!: AttributeChange;

  @ApiProperty({ type: () => ActorResponse, description: "The visitor, if an identity's attributes changed" })
  by!: ActorResponse;
}

class RatedMessageResponse {
  @ApiProperty({ example: 'msg_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ type: 'integer' })
  seq!: number;

  @ApiProperty({ type: () => SenderResponse })
  sender!: SenderResponse;
}

class MessageRatedData extends ChatData {
  @ApiProperty({
    type: () => RatedMessageResponse,
    description: 'Which message of a bot it is; its text is not repeated',
  })
  message!: RatedMessageResponse;

  @ApiProperty({ type: () => MessageRatingResponse })
  rating!: MessageRatingResponse;

  @ApiProperty({ type: () => ActorResponse })
  by!: ActorResponse;
}

class HandoffRequestedData extends ChatData {
  @ApiProperty({ type: () => ActorResponse })
  by!: ActorResponse;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'When the chat is transferred, unless a bot transfers it, ends it, or writes',
  })
  transfersAt!: string;
}

class PingData {
  @ApiProperty({ example: 'whk_01h455vb4pex5vsknk084sn02q' })
  webhookId!: string;
}

class Envelope {
  @ApiProperty({ example: 'evt_01h455vb4pex5vsknk084sn02q', description: 'The same with every delivery of the event' })
  id!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  timestamp!: string;

  @ApiProperty({ example: 'org_01h455vb4pex5vsknk084sn02q' })
  organizationId!: string;
}

/** `chat.created` as `ChatCreated`. */
const pascal = (type: string) => type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());

function eventOf(type: string, data: Type, description: string): Type {
  @ApiSchema({ name: `${pascal(type)}Event`, description })
  class TypedEvent extends Envelope {
    @ApiProperty({ enum: [type] })
    type!: string;

    @ApiProperty({ type: () => data })
    data!: object;
  }
  return TypedEvent;
}

const EVENTS: Record<EventType, [data: Type, description: string]> = {
  'message.created': [MessageCreatedData, 'A message was stored, from any sender'],
  'chat.created': [ChatCreatedData, 'A chat started'],
  'chat.transferred': [ChatTransferredData, 'A chat moved to a group, where it waits for an agent'],
  'chat.assigned': [ChatAssignedData, 'An agent got the chat: by a claim, an offer, routing, or another person'],
  'chat.unassigned': [ChatUnassignedData, 'The chat left its agent and waits again'],
  'chat.returned': [ChatReturnedData, 'The chat went back to the bots'],
  'chat.unanswered': [ChatUnansweredData, 'No agent took the chat in time'],
  'chat.reopened': [ChatReopenedData, 'A closed chat was opened again'],
  'chat.closed': [ChatClosedData, 'An open chat was closed'],
  'chat.rated': [ChatRatedData, 'The visitor rated the chat, or changed the rating'],
  'chat.tagged': [ChatTaggedData, 'The tags of a chat changed'],
  'chat.updated': [ChatUpdatedData, 'Attributes of a chat changed'],
  'visitor.updated': [VisitorUpdatedData, 'Attributes of a visitor changed'],
  'message.rated': [MessageRatedData, 'The visitor rated a message of a bot, or changed the rating'],
  'handoff.requested': [HandoffRequestedData, 'The visitor asked for a person'],
};

const PING = 'An administrator tested the webhook';

/** The class of each type of event. */
export const EVENT_CLASSES: readonly Type[] = EVENT_TYPES.map((type) => eventOf(type, ...EVENTS[type]));
export const PING_CLASS: Type = eventOf('ping', PingData, PING);

const reference = (type: string) => ({ $ref: getSchemaPath(`${pascal(type)}Event`) });

/** Any event; `type` discriminates. */
export const EVENT_SCHEMAS = {
  Event: {
    description: 'An event. Its `type` says what `data` has',
    oneOf: EVENT_TYPES.map(reference),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(EVENT_TYPES.map((type) => [type, reference(type).$ref])),
    },
  },
};

export const EVENT_REFERENCE = { $ref: getSchemaPath('Event') };

const header = (name: string, description: string, required = true) => ({
  name,
  in: 'header' as const,
  required,
  description,
  schema: { type: 'string' as const },
});

// Standard Webhooks 1.0 (CONTRACT: Webhooks).
const HEADERS = [
  header('webhook-id', 'The id of the event, the same with every attempt'),
  header('webhook-timestamp', 'The time of the attempt, in seconds since 1970'),
  header('webhook-signature', '`v1,` and a base64 HMAC-SHA256 of `id.timestamp.body`; two while a secret is replaced'),
  header('traceparent', 'The trace of what caused the event (W3C Trace Context)', false),
];

function webhookOf(type: string, description: string) {
  return {
    post: {
      operationId: `on${pascal(type)}`,
      summary: description,
      description: 'Answer with any 2xx within 15 seconds. Other answers are retried, for about three days.',
      tags: ['Webhooks'],
      security: [],
      parameters: HEADERS,
      requestBody: { required: true, content: { 'application/json': { schema: reference(type) } } },
      responses: {
        '2XX': { description: 'The event is delivered' },
        '410': { description: 'Disables the webhook' },
      },
    },
  };
}

/** The requests that a webhook gets, by type of event. */
export const WEBHOOKS = {
  ...Object.fromEntries(EVENT_TYPES.map((type) => [type, webhookOf(type, EVENTS[type][1])])),
  ping: webhookOf('ping', PING),
};
