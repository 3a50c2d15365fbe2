import { addressesOf } from './addresses.js';
import { type Fields, isAutomatic, messageIdsOf } from './fields.js';
import type { ParsedPart } from './parsed-mail.js';
import type { BounceReport, ComplaintReport, MailReport } from './received-mail.js';

const MOST = { ids: 50, bytes: 65_536, text: 20_000 };
const STATUS_PARTS = new Set(['message/delivery-status', 'message/global-delivery-status']);
const RETURNED_PARTS = new Set([
  'message/rfc822',
  'message/global',
  'text/rfc822-headers',
  'message/global-headers',
  'message/rfc822-headers',
]);
const OF_MAIL_SERVERS = /^(?:mailer-daemon|postmaster|mail-?delivery(?:-?\w{1,20})?)@/i;
const QMAIL = /^\s*hi\. this is the .{0,40}\bprogram at /i;
// An enhanced status code after a reply code, `#`, or `(`, and not a part of an IP address.
const STATUS = /(?:\b[45]\d\d[ -]#?|[(#])([45]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/;
const REPLY_CODE = /\b([45])\d\d[ -]/;
const DELAYED = /\b(?:delayed|not yet been delivered|will be retried|will continue to try|delivery is delayed)\b/i;
const ADDRESS = /<([^<>\s@]{1,64}@[^<>\s@]{1,255})>/;

/** The bounce or complaint that a mail is; null if it's neither, or says that a mail was delivered. */
export function reportOf(fields: Fields, text: string, parts: readonly ParsedPart[]): MailReport | null {
  const feedback = parts.find(({ type }) => type === 'message/feedback-report');
  if (feedback) return complaintOf(feedback, parts);
  const status = parts.find(({ type }) => STATUS_PARTS.has(type));
  if (status) return bounceOf(status, fields, parts);
  return isFromMailServer(fields, text) ? otherBounceOf(fields, text, parts) : null;
}

function complaintOf(feedback: ParsedPart, parts: readonly ParsedPart[]): ComplaintReport | null {
  const [group] = groupsOf(startOf(feedback));
  if (group?.get('feedback-type')?.trim().toLowerCase() === 'not-spam') return null;
  return {
    type: 'complaint',
    recipient: addressIn(group?.get('original-rcpt-to')),
    messageIds: idsOf(returnedOf(parts)),
  };
}

function bounceOf(part: ParsedPart, fields: Fields, parts: readonly ParsedPart[]): BounceReport | null {
  const groups = groupsOf(startOf(part));
  const actionOf = (group: Map<string, string>) => /\w+/.exec(group.get('action') ?? '')?.[0].toLowerCase();
  const failed = groups.find((group) => actionOf(group) === 'failed');
  const group = failed ?? groups.find((other) => actionOf(other) === 'delayed');
  if (group === undefined) return null;
  const status = statusOf(group);
  const original = groups.map((other) => other.get('x-original-message-id') ?? '');
  return {
    type: 'bounce',
    action: failed ? 'failed' : 'delayed',
    isPermanent: isPermanent(status),
    status,
    isStandard: true,
    recipient: addressIn(group.get('original-recipient')) ?? addressIn(group.get('final-recipient')),
    messageIds: idsOf([...returnedOf(parts), ...original, ...ownReferences(fields)]),
  };
}

/** A bounce of a server that has a form of its own, such as qmail or Exim. */
function otherBounceOf(fields: Fields, text: string, parts: readonly ParsedPart[]): BounceReport {
  const start = text.slice(0, MOST.text);
  const reply = REPLY_CODE.exec(start)?.[1];
  const status = STATUS.exec(start)?.[1] ?? (reply === undefined ? null : `${reply}.0.0`);
  return {
    type: 'bounce',
    action: DELAYED.test(`${fields.first('subject')}\n${start.slice(0, 2_000)}`) ? 'delayed' : 'failed',
    isPermanent: isPermanent(status),
    status,
    isStandard: false,
    recipient: addressIn(fields.first('x-failed-recipients') ?? undefined) ?? addressIn(ADDRESS.exec(start)?.[1]),
    messageIds: idsOf([...returnedOf(parts), ...headerLinesOf(text), ...ownReferences(fields)]),
  };
}

/**
 * Whether a mail server wrote the mail. Out-of-office notes have an empty Return-Path too, so the sender has to be a mail server. A person
 * may write as postmaster, so the mail has to be automatic.
 */
function isFromMailServer(fields: Fields, text: string): boolean {
  if (fields.has('x-failed-recipients') || QMAIL.test(text.slice(0, 200))) return true;
  const from = fields.all('from').flatMap(addressesOf);
  return isAutomatic(fields) && from.some((address) => OF_MAIL_SERVERS.test(address));
}

/** Whether the address will never take mails. A full mailbox (5.2.2) and a policy (5.7.x) may change. */
function isPermanent(status: string | null): boolean {
  return status !== null && status.startsWith('5.') && status !== '5.2.2' && !status.startsWith('5.7.');
}

function statusOf(group: Map<string, string>): string | null {
  const said = /[245]\.\d{1,3}\.\d{1,3}/.exec(group.get('status') ?? '')?.[0] ?? null;
  const diagnosed = STATUS.exec(group.get('diagnostic-code') ?? '')?.[1] ?? null;
  // Some servers say 5.0.0, and the receiving server's own code only in its answer.
  return said?.endsWith('.0.0') && diagnosed?.[0] === said[0] ? diagnosed : (said ?? diagnosed);
}

/** An address of `rfc822; <a@b.example>`, in lower case. */
function addressIn(value: string | undefined): string | null {
  const address = value?.split(';').at(-1)!.split(',', 1)[0]!.trim().replaceAll(/^<|>$/g, '').toLowerCase();
  return address?.includes('@') && address.length <= 320 ? address : null;
}

function startOf({ content }: ParsedPart): string {
  return Buffer.from(content.buffer, content.byteOffset, Math.min(content.byteLength, MOST.bytes)).toString('utf8');
}

/** The groups of fields in a report, divided by empty lines. If fields have the same name, the first counts. */
function groupsOf(text: string): Map<string, string>[] {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n/)
    .map((group) => {
      const fields = new Map<string, string>();
      for (const line of group.replaceAll(/\n[ \t]+/g, ' ').split('\n')) {
        const at = line.indexOf(':');
        const key = line.slice(0, Math.max(at, 0)).trim().toLowerCase();
        if (key && !fields.has(key)) fields.set(key, line.slice(at + 1));
      }
      return fields;
    })
    .filter((fields) => fields.size > 0);
}

/** The header lines of the returned mails that have Message-IDs. */
function returnedOf(parts: readonly ParsedPart[]): string[] {
  return parts.filter(({ type }) => RETURNED_PARTS.has(type)).flatMap((part) => headerLinesOf(startOf(part)));
}

/** The header lines in a text that have Message-IDs, the mail's own first. */
function headerLinesOf(text: string): string[] {
  const lines = text
    .slice(0, MOST.bytes)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n');
  const fieldsOf = (key: string) =>
    lines.filter((line) =>
      line
        .slice(0, key.length + 3)
        .replace(/^[>\s]{0,2}/, '')
        .toLowerCase()
        .startsWith(key),
    );
  return [...fieldsOf('message-id:'), ...fieldsOf('in-reply-to:'), ...fieldsOf('references:')];
}

function ownReferences(fields: Fields): string[] {
  return [...fields.all('in-reply-to'), ...fields.all('references')];
}

function idsOf(texts: readonly string[]): string[] {
  return messageIdsOf(texts.join('\n')).slice(0, MOST.ids);
}
