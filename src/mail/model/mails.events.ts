/** Mails are waiting to be sent. */
export interface MailsQueued {
  organizationId: string;
}

declare module '../../platform/database/domain-events.js' {
  interface DomainEvents {
    'mails.queued': MailsQueued;
  }
}
