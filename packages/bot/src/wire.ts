import type * as api from './bot-api.js';
import type { FileInput } from './files/file-input.js';
import type { ReceivedFile } from './files/received-file.js';

// Names for the types of the OpenAPI document.

export type { Actor, BotState, Gap, Group, Me, Named, Rating, Sender, SentMessage } from './bot-api.js';

/** A message, whose files can be read. */
export type Message = Omit<api.Message, 'files'> & { files?: ReceivedFile[] };
export type MessageType = api.Message['type'];
export type SenderType = api.Sender['type'];
export type ChatStatus = api.EventChat['status'];
export type Owner = api.EventChat['owner'];
export type Availability = api.Availability['availability'];
export type GroupAvailability = api.Availability;
export type MessagePage = WithMessages<api.Messages>;

/** A chat's state right after the event. */
export type Chat = api.EventChat;
/** What is known of a chat or a visitor, by key. */
export type Attributes = Chat['attributes'];
/** What a call sets by key. Null removes the key. */
export type ChangedAttributes = Record<string, string | number | boolean | null>;

/** A chat as it is now, with its latest messages. */
export type ChatWithMessages = WithMessages<api.Chat>;

/** A chat that was found, with its newest message that matches. */
export type SearchResult = api.BotSearchResult;

/** The visitor of a chat to open: by Parley's id, or by the one that your own server signed. */
export type KnownVisitor = { visitorId: string } | { externalId: string };

/** The content of a message. */
export type Content = Pick<api.SendMessageRequest, 'content' | 'type' | 'metadata' | 'files'>;

/** What a message may have besides its text. */
export interface MessageOptions extends Pick<Content, 'type' | 'metadata'> {
  /** Up to 10 files. With them, the text may be omitted. */
  files?: readonly FileInput[];
}

/** A message to send: its text of 1 to 5,000 characters, its files, or both. */
export interface OutgoingMessage extends MessageOptions {
  text?: string;
}

/** The options of `POST /api/bot/transfer`, and what the SDK does before it. */
export type HandOverOptions = Omit<api.TransferRequest, 'chatId' | 'ifOwner'> & {
  /** Tags that the chat gets before it's handed over, so that agents see them in the offer. */
  tags?: string[];
};
export type HandOver = api.Transfer;

/** An event about a chat. */
type ChatEvent = Exclude<api.Event, { type: 'visitor.updated' }>;
/** The events that a bot handles: those about a chat. */
export type EventType = ChatEvent['type'];

/** The `data` of each type of event. */
export type EventData = { [Event in ChatEvent as Event['type']]: WithMessage<Event['data']> };

type WithMessage<Data> = Data extends { message: api.Message } ? Omit<Data, 'message'> & { message: Message } : Data;
type WithMessages<Page> = Omit<Page, 'messages'> & { messages: Message[] };

export interface ParleyEvent<Type extends EventType = EventType> extends Omit<api.ChatCreatedEvent, 'type' | 'data'> {
  type: Type;
  data: EventData[Type];
  /** The trace of the request that caused the event (W3C Trace Context), if it had one. What a turn does continues it. */
  traceparent?: string;
}

/** The event `visitor.updated`, which isn't about a chat. */
export type VisitorEvent = api.VisitorUpdatedEvent & Pick<ParleyEvent, 'traceparent'>;

/** The response of `GET /api/bot/events`. */
export interface Events extends Omit<api.Events, 'events'> {
  events: ParleyEvent[];
}
