/** A bot was deleted, with its tokens and its subscription. Its waiting events are yet to be removed. */
export interface BotDeleted {
  organizationId: string;
  botId: string;
}

declare module '../platform/database/domain-events.js' {
  interface DomainEvents {
    'bot.deleted': BotDeleted;
  }
}
