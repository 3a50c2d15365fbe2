/** The kinds of mails (CONTRACT: E-mail). Each has a file in `kinds`. */
export const MAIL_KINDS = [
  'missed',
  'transcript',
  'invitation',
  'password_reset',
  'assigned',
  'mentioned',
  'test',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** What became of a mail. `LAPSED`: it was no longer wanted when it was due. */
export const MAIL_STATUSES = ['WAITING', 'SENT', 'BOUNCED', 'FAILED', 'LAPSED'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

/** What became of the mail about a message that its visitor missed. `TOO_MANY`: their address has reached its limit. */
export const MISSED_MAIL_STATUSES = ['WAITING', 'SENT', 'BOUNCED', 'FAILED', 'TOO_MANY'] as const;
export interface MissedMailState {
  status: (typeof MISSED_MAIL_STATUSES)[number];
  /** When it was sent; otherwise, when it was queued. */
  at: Date;
}

/** A mail to send. */
export interface NewMail {
  organizationId: string;
  id: string;
  kind: MailKind;
  /** The address that gets it. */
  to: string;
  chatId?: string;
  visitorId?: string;
  agentId?: string;
  /** When it's sent; omitted: now. */
  dueAt?: Date;
  /** BCP 47; omitted: the language of the organization's widget, or English. */
  language?: string;
}

/** A mail as administrators see it. */
export interface MailRow {
  id: string;
  kind: MailKind;
  to: string;
  chatId: string | null;
  visitorId: string | null;
  agentId: string | null;
  status: MailStatus;
  lastError: string | null;
  attempts: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
  sentAt: Date | null;
}

/** A mail that this node may send now. */
export interface LeasedMail {
  organizationId: string;
  id: string;
  kind: MailKind;
  to: string;
  /** Random text in its Message-ID, its Reply-To, and its envelope sender. */
  token: string;
  chatId: string | null;
  visitorId: string | null;
  agentId: string | null;
  language: string | null;
  /** Of a missed answer: the `seq` of the last message that the visitor had read or answered. */
  afterSeq: number | null;
  /** Of a transcript that's sent because the chat ended: when it did. */
  endedAt: Date | null;
  /** How many tries ended before. */
  attempts: number;
  /** When it was tried first; null: never. */
  firstTriedAt: Date | null;
  createdAt: Date;
  /** Identifies the lease: another node that took over has a higher one. */
  lease: number;
}
