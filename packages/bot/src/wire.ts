/** What the bot API and the events carry (CONTRACT sections 2, 4, 8 and 11). test/bot-sdk/drift.ts compares it with the service. */

export type MessageType = 'TEXT' | 'IMAGE' | 'BUTTON' | 'QUICK_REPLY';
export type SenderType = 'VISITOR' | 'BOT' | 'AGENT' | 'SYSTEM';
export type ChatStatus = 'QUEUED' | 'ACTIVE' | 'CLOSED' | 'ARCHIVED';
export type Owner = 'BOT' | 'QUEUE' | 'AGENT' | 'NOBODY';
export type Availability = 'AVAILABLE' | 'BUSY' | 'OFFLINE';

export interface Named {
  id: string;
  name: string;
}

export interface Sender {
  type: SenderType;
  id: string | null;
  name: string | null;
}

export interface Message {
  id: string;
  chatId: string;
  /** The count in its chat: 1, 2, 3 …, without a gap. */
  seq: number;
  type: MessageType;
  content: string;
  metadata: Record<string, unknown>;
  sender: Sender;
  createdAt: string;
  /** The choice that this message takes. */
  replyTo?: { messageId: string; value: string };
  /** Of a tombstone alone, which has no content any more. */
  deletedAt?: string;
}

/** A chat as it was right after the event. */
export interface Chat {
  id: string;
  status: ChatStatus;
  channel: 'WIDGET';
  createdAt: string;
  lastMessageAt: string | null;
  firstResponseAt: string | null;
  messageCount: number;
  visitor: { id: string; name: string | null; email: string | null; isVerified: boolean };
  group: Named;
  owner: Owner;
  assignedTo: Named | null;
}

/** Who did something. */
export interface Actor {
  type: SenderType | 'ADMIN';
  id: string | null;
  name: string | null;
}

/** The `data` of each type of event. */
export interface EventData {
  'message.created': { message: Message; chat: Chat };
  'chat.created': { chat: Chat };
  'chat.transferred': {
    chat: Chat;
    previousGroupId: string;
    bot: Named | null;
    reason: string | null;
    by: Actor;
    handoffId: string;
    previousAgent: Named | null;
  };
  'chat.assigned': {
    chat: Chat;
    agent: Named;
    how: 'CLAIMED' | 'OFFERED' | 'AUTOMATIC' | 'ASSIGNED';
    waitedSeconds: number;
    previousAgent: Named | null;
    by?: Actor;
  };
  'chat.unassigned': {
    chat: Chat;
    agent: Named;
    reason: 'RELEASED' | 'OFFLINE' | 'DISABLED' | 'DELETED' | 'LEFT_GROUP';
  };
  'chat.returned': { chat: Chat; by: Actor; note: string | null };
  'chat.unanswered': {
    chat: Chat;
    handoffId: string;
    waitedSeconds: number;
    availability: Availability;
    then: 'KEPT' | 'RETURNED_TO_BOT';
  };
  'chat.reopened': { chat: Chat; by: Actor; owner: Owner; agent: Named | null };
  'chat.closed': { chat: Chat; by: Actor };
  'chat.rated': { chat: Chat; rating: Rating; by: Actor };
}

/** What the visitor says of a chat that has ended. */
export interface Rating {
  /** 1 to 5; 5 is the best. */
  score: number;
  comment: string | null;
  ratedAt: string;
  /** When it was changed last; null: never. */
  changedAt: string | null;
}

export type EventType = keyof EventData;

export interface ParleyEvent<Type extends EventType = EventType> {
  /** The same every time the event comes. */
  id: string;
  type: Type;
  timestamp: string;
  organizationId: string;
  data: EventData[Type];
}

/** The answer of `GET /api/bot/events`. */
export interface Events {
  events: ParleyEvent[];
  ack: string;
  pending: number;
  gap?: Gap;
}

/** Events that were dropped before the bot came for them. */
export interface Gap {
  /** How many; null: not known. */
  droppedEvents: number | null;
  since: string;
}

/** What `POST /api/bot/transfer` takes beside the chat. */
export interface HandOverOptions {
  /** Omitted: the default group. */
  targetGroupId?: string;
  /** Why, up to 500 characters; the visitor sees it too. */
  reason?: string;
  /** `FAIL`: nothing happens unless an agent of the group is online with room. */
  ifUnavailable?: 'QUEUE' | 'FAIL';
  /** After how many seconds the chat is unanswered; 0: never. Omitted: as the group says. */
  maxWaitSeconds?: number;
  onUnanswered?: 'KEEP' | 'RETURN_TO_BOT';
  /** What the agents should know, up to 2,000 characters; the visitor never sees it. */
  summary?: string;
}

export interface HandOver {
  chatId: string;
  newStatus: 'QUEUED';
  assignedTo: null;
  groupId: string;
  handoff?: {
    id: string;
    availability: Availability;
    position: number;
    estimatedWaitSeconds: number | null;
    expiresAt: string | null;
  };
}

export interface Content {
  content: string;
  /** Omitted: `TEXT`. */
  type?: MessageType;
  metadata?: Record<string, unknown>;
}

export interface SentMessage {
  id: string;
  status: 'sent';
}

export interface MessagePage {
  messages: Message[];
  latestSeq: number;
  hasMore: boolean;
}

export interface GroupAvailability {
  groupId: string;
  availability: Availability;
  onlineAgents: number;
  waitingChats: number;
  estimatedWaitSeconds: number | null;
}
