import { addressesOf, onlyAddressOf } from './addresses.js';
import { Fields, isAutomatic, isOfList, messageIdOf, referencesOf } from './fields.js';
import type { ParsedMail, ParsedPart } from './parsed-mail.js';
import type { ReceivedFile, ReceivedMail } from './received-mail.js';
import { reportOf } from './reports.js';

const RECIPIENT_FIELDS = ['delivered-to', 'x-original-to', 'envelope-to', 'to', 'cc'];
const MOST = { recipients: 200, name: 200 };
/** Parts that mail programs add themselves: signatures, other forms of the text, and reactions. */
const NOT_FILES = new Set([
  'application/pgp-signature',
  'application/pkcs7-signature',
  'application/x-pkcs7-signature',
  'text/vnd.google.email-reaction+json',
  'text/x-amp-html',
]);
const ENDINGS: Record<string, string> = {
  'application/ms-tnef': 'winmail.dat',
  'application/ics': 'invite.ics',
  'application/pdf': 'file.pdf',
  'image/gif': 'image.gif',
  'image/heic': 'image.heic',
  'image/jpeg': 'image.jpg',
  'image/png': 'image.png',
  'image/webp': 'image.webp',
  'message/rfc822': 'mail.eml',
  'text/calendar': 'invite.ics',
  'text/csv': 'file.csv',
  'text/html': 'file.html',
  'text/plain': 'file.txt',
};
// Control characters, line breaks, and marks that change the direction of text, which would conceal the ending.
const UNSAFE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** The mail that the thread parsed. */
export function receivedMailOf({ headers, text, parts }: ParsedMail): ReceivedMail {
  const fields = new Fields(headers);
  const from = fields.all('from');
  const report = reportOf(fields, text, parts);
  return {
    from: from.length === 1 ? onlyAddressOf(from[0]!) : null,
    recipients: RECIPIENT_FIELDS.flatMap((key) => fields.all(key))
      .flatMap(addressesOf)
      .slice(0, MOST.recipients),
    messageId: messageIdOf(fields),
    references: referencesOf(fields),
    authentication: fields.first('authentication-results'),
    isAutomatic: isAutomatic(fields),
    isOfList: isOfList(fields),
    text,
    files: report === null ? parts.filter(({ type }) => !NOT_FILES.has(type)).map(fileOf) : [],
    report,
  };
}

function fileOf({ name, type, content }: ParsedPart): ReceivedFile {
  const last = (name ?? '').split(/[/\\]/).at(-1)!;
  const shown = oneLine(last).replace(/^\.+/, '');
  return {
    name: shown || (ENDINGS[type] ?? 'file'),
    type: oneLine(type),
    content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
  };
}

/** At most 200 characters of a text. A longer one keeps its end, because the end of a name says the format. */
function oneLine(text: string): string {
  const line = Array.from(text.replaceAll(UNSAFE, ' ').trim());
  if (line.length <= MOST.name) return line.join('');
  return [...line.slice(0, MOST.name - 20), '…', ...line.slice(-19)].join('');
}
