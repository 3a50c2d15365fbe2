import type { OfferEnd } from './chat-offer.entity.js';

/** A chat was created. Its first state causes no other event. */
export interface ChatCreated {
  organizationId: string;
  chatId: string;
}

/** The status, group, agent or a read mark of a chat changed. A message changes its counters without this event. */
export interface ChatChanged {
  organizationId: string;
  chatId: string;
  /** The group that it left. Agents who watched it there get a `gone` row. */
  previousGroupId?: string;
  /** Its new group and agent, if they were set. Agents who can't see it there get none of the messages that follow. */
  place?: { groupId: string; agentId: string | null };
  /** Whether the chat ended or was erased, so that its typing ends. */
  hasEnded?: boolean;
}

/** The same for many chats whose group was removed. */
export interface ChatsChanged {
  organizationId: string;
  previousGroupId: string;
  chats: readonly { id: string; groupId: string; agentId: string | null }[];
}

/** A chat waits, or an agent has room again, so routing may proceed. */
export interface QueueChanged {
  organizationId: string;
}

/** An agent got a chat. */
export interface ChatAssigned {
  organizationId: string;
  chatId: string;
  agentId: string;
  /** Whether the agent took it. */
  isOwnChoice: boolean;
}

/** A waiting chat was offered to an agent. */
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
    'chat.assigned': ChatAssigned;
    'chatOffer.made': ChatOfferMade;
    'chatOffer.ended': ChatOfferEnded;
    'queue.changed': QueueChanged;
  }
}
