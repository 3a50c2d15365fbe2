/** What an organization says about its mails (CONTRACT section 15). */
export interface MailSettings {
  /** The sender's name; null: the organization's. */
  fromName: string | null;
  /** After how many seconds a visitor gets a mail about a missed answer; 0: never. */
  missedAfterSeconds: number;
  /** A picture at the top of mails; null: none. */
  logoUrl: string | null;
}

export type MailSettingsChange = Partial<MailSettings>;

const DEFAULTS: MailSettings = { fromName: null, missedAfterSeconds: 300, logoUrl: null };

/** Fills in the defaults, in a fixed order. */
export function withMailDefaults(stored: MailSettingsChange | null): MailSettings {
  return { ...DEFAULTS, ...stored };
}
