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

/** A bot is typing in a chat, or no more. */
export interface BotTyping {
  chatId: string;
  bot: { id: string; name: string };
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
    'bot.typing': BotTyping;
    'chat.visitorChanged': ChatVisitorChanged;
  }
}
