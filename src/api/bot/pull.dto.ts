import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Response } from 'express';
import { SENDER_TYPES, type SenderType } from '../../messages/message.js';
import { EVENT_TYPES, type EventType } from '../../outbox/event-type.js';
import { JsonText } from '../../platform/http/server/http.adapter.js';
import { QueryInteger, SomeOf, Text } from '../../platform/validation/validators.js';
import type { PollAnswer, PollRequest } from '../../pull/poll.service.js';
import type { Filters } from '../../pull/subscription.js';
import { EVENT_REFERENCE } from '../events.dto.js';

const MAX_WAIT_SECONDS = 50;
const DEFAULT_WAIT_SECONDS = 25;
const MAX_EVENTS = 100;
const MAX_ACK_LENGTH = 128;

/** Which events to keep for the bot. */
export class SubscriptionDto implements Partial<Filters> {
  @SomeOf(EVENT_TYPES, { description: 'Omitted: all, including types of later releases' })
  events?: EventType[];

  @SomeOf(SENDER_TYPES, { description: 'Whose `message.created`; omitted: `VISITOR`, `AGENT`, `SYSTEM`' })
  senderTypes?: SenderType[];
}

export class EventsQuery implements PollRequest {
  @QueryInteger(0, MAX_WAIT_SECONDS, {
    default: DEFAULT_WAIT_SECONDS,
    description: 'Seconds to wait for the first event',
  })
  wait: number = DEFAULT_WAIT_SECONDS;

  @QueryInteger(1, MAX_EVENTS, { default: MAX_EVENTS, description: 'How many events to answer at most' })
  limit: number = MAX_EVENTS;

  @Text(1, MAX_ACK_LENGTH, {
    optional: true,
    description: 'The `ack` of an earlier response. Acknowledges its events, even if there was a newer response since',
  })
  ack?: string;
}

class GapResponse {
  @ApiProperty({ type: 'integer', nullable: true, description: 'How many events; null: not known' })
  droppedEvents!: number | null;

  @ApiProperty({ type: String, format: 'date-time', description: 'When the oldest of them happened' })
  since!: string;
}

export class EventsResponse {
  @ApiProperty({
    type: 'array',
    items: EVENT_REFERENCE,
    description: "Oldest first. A chat's events first come in order of `seq`",
  })
  events!: object[];

  @ApiProperty({ maxLength: MAX_ACK_LENGTH, description: 'Names these events: present it with the next call' })
  ack!: string;

  @ApiProperty({ type: 'integer', maximum: 1_000, description: 'How many more wait; 1000: or more' })
  pending!: number;

  @ApiPropertyOptional({
    type: () => GapResponse,
    description: 'Events that were dropped; repeated until its `ack` comes',
  })
  gap?: GapResponse;
}

/** A signal that's aborted when the client disconnects. */
export function signalOf(response: Response): AbortSignal {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  return closed.signal;
}

/** Creates the response to a poll; while the process shuts down, the response also closes the connection. */
export function answerTo(response: Response): (answer: PollAnswer) => JsonText {
  return (answer) => {
    if (answer.isLast) response.setHeader('Connection', 'close');
    return toJson(answer);
  };
}

// The events are inserted as stored text, so they equal the bodies that webhooks are sent.
function toJson({ payloads, ack, pending, gap }: PollAnswer): JsonText {
  const rest = JSON.stringify({ ack, pending, ...(gap && { gap }) });
  return new JsonText(`{"events":[${payloads.join(',')}],${rest.slice(1)}`);
}
