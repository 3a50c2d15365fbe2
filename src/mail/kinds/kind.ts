import type { Letter } from '../letters/letter.js';
import type { Paper } from '../letters/stationery.js';
import type { LeasedMail } from '../model/mail.js';

/**
 * What's to be done with a mail that's due: it's no longer wanted, it waits, or it's sent. `isRepeatable`: another mail about the same may be
 * queued, because the visitor or their address was why.
 */
export type Prepared = { lapsed: string; isRepeatable?: boolean } | { waitsUntil: Date } | { letter: Letter };

/** A kind of mail. */
export interface Kind {
  /** Checks again whether the mail is still wanted, and writes it. Called before each try. */
  prepare(mail: LeasedMail, paper: Paper): Promise<Prepared>;
}
