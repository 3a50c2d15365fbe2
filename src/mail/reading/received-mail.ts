/** The most bytes of a mail: 25 MiB (CONTRACT: E-mail). */
export const MAX_MAIL_BYTES = 26_214_400;

/** A file of a mail. */
export interface ReceivedFile {
  /** At most 200 characters, without control characters and folders. Never empty. */
  name: string;
  /** The media type as the mail says it, in lower case and without parameters. */
  type: string;
  content: Buffer;
}

/** A bounce (RFC 3464, or the form of a mail server that doesn't know it). */
export interface BounceReport {
  type: 'bounce';
  action: 'failed' | 'delayed';
  /** Whether the status is 5.x.x, except 5.2.2 (mailbox full) and 5.7.x (policy). */
  isPermanent: boolean;
  /** Such as `5.1.1`; null: the report doesn't say. */
  status: string | null;
  /** Whether the report has the form of RFC 3464. */
  isStandard: boolean;
  /** The address that couldn't be reached, in lower case. */
  recipient: string | null;
  /** The Message-IDs of the returned mail and of others that the report names, with angle brackets, at most 50. */
  messageIds: string[];
}

/** A complaint about spam (ARF, RFC 5965). */
export interface ComplaintReport {
  type: 'complaint';
  /** Who complained, in lower case; null if the provider conceals it. */
  recipient: string | null;
  /** The Message-IDs of the mail that the complaint is about, and those it refers to. */
  messageIds: string[];
}

export type MailReport = BounceReport | ComplaintReport;

/** A mail as it arrived. No text of it has control characters other than line breaks and tabs, or lone surrogates. */
export interface ReceivedMail {
  /** The address of the only `From`; null if there are none or several. The domain is in lower case and in its ASCII form. */
  from: string | null;
  /** All addresses of Delivered-To, X-Original-To, Envelope-To, To, and Cc, in this order, at most 200. */
  recipients: string[];
  /** With angle brackets, at most 998 characters. */
  messageId: string | null;
  /** The Message-IDs of References, then of In-Reply-To, with angle brackets, at most 200. */
  references: string[];
  /** The topmost Authentication-Results, unfolded. */
  authentication: string | null;
  /** Whether a program sent it, and not a person (RFC 3834). */
  isAutomatic: boolean;
  /** Whether a mailing list distributed it. */
  isOfList: boolean;
  /** The plain text, or the text of the HTML if the plain one has no word. At most 200,000 characters. */
  text: string;
  files: ReceivedFile[];
  /** Null unless the mail is a bounce or a complaint. */
  report: MailReport | null;
}
