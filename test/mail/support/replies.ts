import { request } from 'node:http';
import type { ArrivedMail } from './mail-server.js';
import type { Parley } from '../../support/parley.js';

const INBOUND_TOKEN = 'inbound-token-of-tests';
/** The environment of a service that takes mail by HTTP, from a server that checks senders. */
export const INBOUND = { MAIL_INBOUND_TOKEN: INBOUND_TOKEN, MAIL_AUTHSERV_ID: 'mx.parley.example' };

let count = 0;

export interface Reply {
  from?: string;
  text?: string;
  /** Header fields; null leaves a field out. */
  headers?: Record<string, string | null>;
  /** Whether the receiving server has checked the sender. */
  isProven?: boolean;
  files?: { name: string; type: string; content: Buffer }[];
}

/** A reply to a mail, as mail programs write it. */
export function replyTo(
  { headers: asked, text: sent }: Pick<ArrivedMail, 'headers' | 'text'>,
  { from = 'vera@example.com', text = 'an answer', headers = {}, isProven = true, files = [] }: Reply = {},
): string {
  const domain = from.slice(from.indexOf('@') + 1);
  const quote = sent
    .trim()
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\r\n');
  const body = `${text}\r\n\r\nOn Tue, 3 Nov 2026 at 10:12, Acme <${asked['reply-to']}> wrote:\r\n\r\n${quote}\r\n`;
  const proof = `mx.parley.example; dmarc=pass header.from=${domain}`;
  const fields: Record<string, string | null> = {
    'Authentication-Results': isProven ? proof : null,
    From: `Vera <${from}>`,
    To: asked['reply-to'] ?? '',
    Subject: `Re: ${asked.subject}`,
    'Message-ID': `<reply-${++count}@${domain}>`,
    'In-Reply-To': asked['message-id'] ?? null,
    References: asked['message-id'] ?? null,
    Date: 'Tue, 03 Nov 2026 10:20:00 +0100',
    'MIME-Version': '1.0',
    ...headers,
  };
  const head = Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  if (files.length === 0) return [...head, 'Content-Type: text/plain; charset=utf-8', '', body].join('\r\n');
  const parts = files.map(
    ({ name, type, content }) =>
      `--b\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${content.toString('base64')}\r\n`,
  );
  const type = 'Content-Type: multipart/mixed; boundary=b';
  return [
    ...head,
    type,
    '',
    `--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${body}\r\n${parts.join('')}--b--\r\n`,
  ].join('\r\n');
}

/** What the service answers to a mail by HTTP. */
export function deliver(
  parley: Parley,
  source: string | Buffer,
  { token = INBOUND_TOKEN, query = '', type = 'message/rfc822' } = {},
): Promise<{ status: number; body: Record<string, any> }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${parley.url}/api/mail/inbound${query}`,
      { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': type } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode!, body: JSON.parse(text) as Record<string, any> });
        });
      },
    );
    sent.on('error', reject);
    sent.end(source);
  });
}
