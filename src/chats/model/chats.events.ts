import type { OfferEnd } from './chat-offer.entity.js';

/** A chat was created; no other event is emitted for its first state. */
export interface ChatCreated {
  organizationId: string;
  chatId: string;
}

/** The status, group, agent or a read mark of a chat changed. A message changes its counters without this event. */
export interface ChatChanged {
  organizationId: string;
  chatId: string;
  /** The group it left, if any: agents who watched it there are told that it is gone. */
  previousGroupId?: string;
  /** Where it is now, when that was set: agents who may not see it there get none of the messages that follow. */
  place?: { groupId: string; agentId: string | null };
  /** Whether it has ended by this change, or was erased: nothing is written in it any more. */
  hasEnded?: boolean;
}

/** The same for many chats, when their group was removed. */
export interface ChatsChanged {
  organizationId: string;
  previousGroupId: string;
  chats: readonly { id: string; groupId: string; agentId: string | null }[];
}

/** A chat waits, or an agent has room again: routing may go on. */
export interface QueueChanged {
  organizationId: string;
}

/** An agent is asked to take a chat. */
export interface ChatOfferMade {
  organizationId: string;
  offerId: string;
  chatId: string;
  agentId: string;
  expiresAt: Date;
}

export interface ChatOfferEnded {
  organizationId: string;
  offerId: string;
  chatId: string;
  agentId: string;
  reason: OfferEnd;
}

/** The chat was moved from this visitor to another. */
export interface ChatTakenOver {
  chatId: string;
  visitorId: string;
}

declare module '../../platform/database/domain-events.js' {
  interface DomainEvents {
    'chat.created': ChatCreated;
    'chat.changed': ChatChanged;
    'chats.changed': ChatsChanged;
    'chat.takenOver': ChatTakenOver;
    'chatOffer.made': ChatOfferMade;
    'chatOffer.ended': ChatOfferEnded;
    'queue.changed': QueueChanged;
  }
}
