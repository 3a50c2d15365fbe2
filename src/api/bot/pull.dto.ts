import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Response } from 'express';
import { SENDER_TYPES, type SenderType } from '../../messages/message.js';
import { EVENT_TYPES, type EventType } from '../../receivers/event-type.js';
import { JsonText } from '../../platform/http/server/http.adapter.js';
import { QueryInteger, SomeOf, Text } from '../../platform/validation/validators.js';
import type { PollAnswer, PollRequest } from '../../pull/poll.service.js';
import type { Filters } from '../../pull/subscription.js';
import { EVENT_REFERENCE } from '../events.dto.js';

const MAX_WAIT_SECONDS = 50;
const DEFAULT_WAIT_SECONDS = 25;
const MAX_EVENTS = 100;
const MAX_ACK_LENGTH = 128;
const MAX_COPY_LENGTH = 64;
const MAX_LEASE = 300;
const DEFAULT_LEASE = 30;

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

  @Text(1, MAX_COPY_LENGTH, {
    optional: true,
    description:
      'The name of this copy of the bot. Copies share the events: the events of a chat go to one copy until it has acknowledged them',
    example: 'pod-1',
  })
  share?: string;

  @QueryInteger(0, MAX_LEASE, {
    default: DEFAULT_LEASE,
    description: 'With `share`: seconds after the answer until other copies get the events. 0: the copy leaves',
  })
  lease: number = DEFAULT_LEASE;
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

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      'The `traceparent` (W3C Trace Context) of each event that a traced request caused, by the id of the event',
  })
  traces?: Record<string, string>;
}

/** A signal that's aborted when the client disconnects. */
export function signalOf(response: Response): AbortSignal {
  const closed = new AbortController();
  // An abort creates an error with its stack, which a response that was sent needn't cost.
  response.once('close', () => {
    if (!response.writableFinished) closed.abort();
  });
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
function toJson({ events, traces, ack, pending, gap }: PollAnswer): JsonText {
  const hasTraces = Object.keys(traces).length > 0;
  const rest = JSON.stringify({ ack, pending, ...(gap && { gap }), ...(hasTraces && { traces }) });
  return new JsonText(`{"events":[${events}],${rest.slice(1)}`);
}
