import type * as api from './bot-api.js';

// Names for the types of the OpenAPI document.

export type { Actor, BotState, Gap, Group, Me, Message, Named, Rating, Sender, SentMessage } from './bot-api.js';

export type MessageType = api.Message['type'];
export type SenderType = api.Sender['type'];
export type ChatStatus = api.EventChat['status'];
export type Owner = api.EventChat['owner'];
export type Availability = api.Availability['availability'];
export type GroupAvailability = api.Availability;
export type MessagePage = api.Messages;

/** A chat's state right after the event. */
export type Chat = api.EventChat;

/** A chat as it is now, with its latest messages. */
export type ChatWithMessages = api.Chat;

/** The visitor of a chat to open: by Parley's id, or by the one that your own server signed. */
export type KnownVisitor = { visitorId: string } | { externalId: string };

/** The content of a message. */
export type Content = Pick<api.SendMessageRequest, 'content' | 'type' | 'metadata'>;

/** The options of `POST /api/bot/transfer`. */
export type HandOverOptions = Omit<api.TransferRequest, 'chatId' | 'ifOwner'>;
export type HandOver = api.Transfer;

export type EventType = api.Event['type'];

/** The `data` of each type of event. */
export type EventData = { [Event in api.Event as Event['type']]: Event['data'] };

export interface ParleyEvent<Type extends EventType = EventType> extends Omit<api.ChatCreatedEvent, 'type' | 'data'> {
  type: Type;
  data: EventData[Type];
  /** The trace of the request that caused the event (W3C Trace Context), if it had one. What a turn does continues it. */
  traceparent?: string;
}

/** The response of `GET /api/bot/events`. */
export interface Events extends Omit<api.Events, 'events'> {
  events: ParleyEvent[];
}
