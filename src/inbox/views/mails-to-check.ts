import type { FileView, StoredFile } from '../../files/file.js';
import type { FileLinks } from '../../files/file-links.js';
import { jsonObject, jsonText, jsonTime } from '../../platform/database/sql-json.js';

/** An e-mail that agents are to check before it becomes the visitor's message (CONTRACT: E-mail). */
export interface MailToCheck {
  id: string;
  /** The sender's address, which nothing has verified; null: the mail has none. */
  from: string | null;
  receivedAt: string;
  text: string;
  files: FileView[];
}

/** The same as it's stored. */
export interface StoredMailToCheck extends Omit<MailToCheck, 'files'> {
  files: StoredFile[];
}

/** The most mails of a detail. */
const MAX_MAILS = 50;

const MAIL = jsonObject({
  id: jsonText('i.id'),
  from: jsonText('i.sender'),
  receivedAt: jsonTime('i.received_at'),
  text: jsonText('i.content'),
  files: "COALESCE(i.attachments::text, '[]')",
});

/** SQL: how many mails of the chat `c` are to be checked. */
export const MAILS_TO_CHECK_COLUMN = 'COALESCE(c.mails_to_check, 0) AS "mailsToCheck"';

/** SQL: the mails to check of the chat `c` in the organization `$1`, oldest first; null without any. Only chats that have some are looked up. */
export const MAILS_COLUMN = `
  CASE WHEN c.mails_to_check > 0 THEN (
    SELECT ('[' || string_agg(${MAIL}, ',' ORDER BY i.received_at, i.id) || ']')::json FROM (
      SELECT * FROM inbound_mails i
      WHERE i.organization_id = $1 AND i.chat_id = c.id AND i.status = 'TO_CHECK' ORDER BY i.received_at, i.id LIMIT ${MAX_MAILS}
    ) i
  ) END AS mails`;

export function toMailsToCheck(stored: readonly StoredMailToCheck[] | null, links: FileLinks): MailToCheck[] {
  return (stored ?? []).map(({ files, ...mail }) => ({ ...mail, files: files.map((file) => links.signed(file)) }));
}
