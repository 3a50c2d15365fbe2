/** When visitors get a transcript of a chat: never, if one is asked for, or also each time a chat ends. */
export const TRANSCRIPT_RULES = ['NEVER', 'ON_REQUEST', 'ALWAYS'] as const;
export type TranscriptRule = (typeof TRANSCRIPT_RULES)[number];

/** What an organization says about its mails (CONTRACT: E-mail). */
export interface MailSettings {
  /** The sender's name; null: the organization's. */
  fromName: string | null;
  /** After how many seconds a visitor gets a mail about a missed answer; 0: never. */
  missedAfterSeconds: number;
  transcript: TranscriptRule;
  /** A picture at the top of mails; null: none. */
  logoUrl: string | null;
  /** Whether push notifications have the visitor's name and the beginning of the message. */
  pushContent: boolean;
}

export type MailSettingsChange = Partial<MailSettings>;

export interface StoredMailSettings extends MailSettingsChange {
  /** Since when each chat that ends gets a transcript, in ISO 8601: earlier ones get none. */
  transcriptSince?: string;
}

const DEFAULTS: MailSettings = {
  fromName: null,
  missedAfterSeconds: 300,
  transcript: 'ON_REQUEST',
  logoUrl: null,
  pushContent: true,
};

/** Fills in the defaults, in a fixed order. */
export function withMailDefaults(stored: StoredMailSettings | null): MailSettings {
  const { transcriptSince: _since, ...given } = stored ?? {};
  return { ...DEFAULTS, ...given };
}

/** What's stored after a change. Omitted fields stay as they are. */
export function mailSettingsAfter(
  stored: StoredMailSettings | null,
  change: MailSettingsChange,
  now: Date,
): StoredMailSettings {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const settings = withMailDefaults({ ...stored, ...given });
  if (settings.transcript !== 'ALWAYS') return settings;
  const since = stored?.transcript === 'ALWAYS' ? stored.transcriptSince : now.toISOString();
  return { ...settings, transcriptSince: since };
}
