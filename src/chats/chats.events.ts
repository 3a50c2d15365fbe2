import type { Actor } from '../auth/request-context.js';

/** The status, group, agent or a read mark of a chat changed; its counters change with every message and are no news. */
export interface ChatChanged {
  organizationId: string;
  chatId: string;
}

/** The same of many chats, as when their group or their agent was removed. */
export interface ChatsChanged {
  organizationId: string;
  chatIds: readonly string[];
}

/** The organization's side, a bot or an agent, is typing in a chat, or no more. */
export interface ChatTyping {
  chatId: string;
  actor: Actor;
  isTyping: boolean;
}

/** A chat is no longer this visitor's. */
export interface ChatVisitorChanged {
  chatId: string;
  visitorId: string;
}

declare module '../platform/lib/domain-events.js' {
  interface DomainEvents {
    'chat.changed': ChatChanged;
    'chats.changed': ChatsChanged;
    'chat.typing': ChatTyping;
    'chat.visitorChanged': ChatVisitorChanged;
  }
}
