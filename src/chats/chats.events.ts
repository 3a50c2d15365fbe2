/** The status, group or agent of a chat changed; its counters change with every message and are no news. */
export interface ChatChanged {
  organizationId: string;
  chatId: string;
}

declare module '../common/domain-events.js' {
  interface DomainEvents {
    'chat.changed': ChatChanged;
  }
}
