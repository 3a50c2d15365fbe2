import { afterAll } from '@jest/globals';
import { MailReader } from '../../../../src/mail/reading/mail-reader.js';
import type { ReceivedMail } from '../../../../src/mail/reading/received-mail.js';

/** A reader that ends with the tests of the file. */
export function openReader(): (source: string | Buffer) => Promise<ReceivedMail> {
  // Longer than in production, because a busy machine may be that slow.
  const reader = MailReader.within({ timeoutMs: 60_000, memoryMb: 256 });
  afterAll(() => reader.onModuleDestroy());
  return (source) =>
    reader.read(typeof source === 'string' ? Buffer.from(source.replaceAll(/\r?\n/g, '\r\n')) : source);
}

/** A mail with these header lines and this plain text. */
export function mailWith(headers: readonly string[], text = 'Hello'): string {
  return [...headers, 'Content-Type: text/plain; charset=utf-8', '', text].join('\n');
}

/** A part of a multipart, or a whole mail if `headers` has its fields. */
export function part(headers: readonly string[], body: string): string {
  return `${headers.join('\n')}\n\n${body}`;
}

/** A multipart of a subtype with parameters, such as `mixed` or `report; report-type=delivery-status`. */
export function multipart(type: string, parts: readonly string[], headers: readonly string[] = []): string {
  const boundary = `=_${type.replaceAll(/\W/g, '')}${parts.length}`;
  return [
    ...headers,
    `Content-Type: multipart/${type}; boundary="${boundary}"`,
    '',
    ...parts.flatMap((content) => [`--${boundary}`, content]),
    `--${boundary}--`,
    '',
  ].join('\n');
}

/** Base64 in lines of 76 characters. */
export function base64(content: string | Buffer): string {
  return (
    Buffer.from(content)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join('\n');
}
