import { randomBytes } from 'node:crypto';
import { parseAuthentication } from '../../../mail/reading/authentication-results.js';
import { hasProof } from '../../../mail/reading/proof.js';
import { describeImapError, type Imap } from '../../../mail/receiving/imap.js';
import { parseDkimKey, parseMailbox, splitAddress } from '../../../platform/config/mail-variables.js';
import { reasonOf } from '../../service.js';
import { type Check, failed, ok, warning } from '../check.js';
import { openMailbox } from './imap.js';
import { openTransport } from './smtp.js';

const NAME = 'mail loop';
/** How long the mail may take, in milliseconds. */
const COMES_WITHIN_MS = 60_000;
/** How long one wait for news lasts, in milliseconds. */
const WAIT_MS = 2_000;
const FORGERY = 'policy.doctor';

/** What came back. */
interface Loop {
  /** In milliseconds. */
  took: number;
  /** The topmost `Authentication-Results`; null without one. */
  authentication: string | null;
}

/**
 * Sends a mail with a forged `Authentication-Results` to an address for replies, and waits until it's in the mailbox (CONTRACT: E-mail).
 * It's marked as read there. Null: no mail is sent, or no mailbox is read.
 * @param within milliseconds that the mail may take
 */
export async function checkMailLoop(
  environment: NodeJS.ProcessEnv,
  within: number = COMES_WITHIN_MS,
): Promise<Check | null> {
  const { SMTP_URL, IMAP_URL, MAIL_FROM } = environment;
  if (!SMTP_URL || !IMAP_URL || !MAIL_FROM) return null;
  const { local, domain } = splitAddress(environment.MAIL_REPLY_ADDRESS || parseMailbox(MAIL_FROM).address);
  const to = `${local}+doctor@${domain}`;
  let imap: Imap | undefined;
  try {
    imap = await openMailbox(environment);
    const loop = await sendAndWait(imap, to, environment, within);
    if (loop !== null) return judge(loop, environment);
    const advice = `let the mail server deliver ${local}+…@${domain} to the mailbox of IMAP_URL`;
    return warning(NAME, `a mail to ${to} did not arrive within ${within / 1000} s`, advice);
  } catch (error) {
    const detail = imap ? reasonOf(error) : describeImapError(error);
    return warning(NAME, detail, 'see the lines SMTP and IMAP');
  } finally {
    await imap?.close();
  }
}

async function sendAndWait(
  imap: Imap,
  to: string,
  environment: NodeJS.ProcessEnv,
  within: number,
): Promise<Loop | null> {
  const before = await imap.findLastUid();
  const startedAt = performance.now();
  const messageId = await send(to, environment);
  for (;;) {
    for (const { uid } of await imap.listAfter(before)) {
      const head = (await imap.getHead(uid)).toString('latin1');
      if (!head.includes(messageId)) continue;
      await imap.markSeen(uid);
      return { took: performance.now() - startedAt, authentication: findAuthentication(head) };
    }
    const left = within - (performance.now() - startedAt);
    if (left <= 0) return null;
    await imap.wait(Math.min(left, WAIT_MS));
  }
}

/** Returns the mail's Message-ID. */
async function send(to: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const { MAIL_FROM, MAIL_SENDER, MAIL_AUTHSERV_ID, MAIL_DKIM_DOMAIN, MAIL_DKIM_SELECTOR, MAIL_DKIM_KEY } = environment;
  const { address, name } = parseMailbox(MAIL_FROM!);
  const { domain } = splitAddress(address);
  const messageId = `<doctor.${randomBytes(16).toString('hex')}@${domain}>`;
  const forged = `${MAIL_AUTHSERV_ID || domain}; dmarc=pass header.from=${domain} ${FORGERY}=forged`;
  const dkim = MAIL_DKIM_KEY && {
    domainName: MAIL_DKIM_DOMAIN!,
    keySelector: MAIL_DKIM_SELECTOR!,
    privateKey: parseDkimKey(MAIL_DKIM_KEY),
  };
  const transport = await openTransport(environment);
  try {
    await transport.sendMail({
      from: { name: name ?? 'Parley', address },
      to,
      envelope: { from: MAIL_SENDER || address, to: [to] },
      messageId,
      subject: 'Test by parley doctor',
      text: 'parley doctor sent this mail to see whether it arrives. You can delete it.',
      headers: { 'Authentication-Results': forged, 'Auto-Submitted': 'auto-generated' },
      ...(dkim && { dkim }),
    });
    return messageId;
  } finally {
    transport.close();
  }
}

function judge({ took, authentication }: Loop, { MAIL_AUTHSERV_ID, MAIL_FROM }: NodeJS.ProcessEnv): Check {
  const came = `a mail came back in ${(took / 1000).toFixed(1)} s`;
  const from = parseMailbox(MAIL_FROM!).address.toLowerCase();
  const isForged = authentication?.includes(FORGERY) ?? false;
  if (isForged && hasProof({ from, authentication }, MAIL_AUTHSERV_ID)) {
    const detail = `${came}, with an Authentication-Results that its sender wrote: anyone can write as a visitor`;
    return failed(NAME, detail, 'remove MAIL_AUTHSERV_ID until the mail server removes such fields (RFC 8601)');
  }
  if (authentication === null || isForged) {
    const detail = `${came}; the server adds no Authentication-Results of its own`;
    return MAIL_AUTHSERV_ID ? warning(NAME, detail, 'agents check every reply') : ok(NAME, detail);
  }
  if (hasProof({ from, authentication }, MAIL_AUTHSERV_ID)) return ok(NAME, `${came}, and the server vouches for it`);
  const id = parseAuthentication(authentication, true)?.id ?? 'microsoft';
  if (id !== MAIL_AUTHSERV_ID?.toLowerCase())
    return warning(NAME, `${came}; the server names itself ${id}`, `set MAIL_AUTHSERV_ID=${id}`);
  return warning(NAME, `${came}; the server does not vouch for it`, 'see the line DKIM and DMARC');
}

/** The topmost field of a mail's head. */
function findAuthentication(head: string): string | null {
  const [fields] = head.split(/\r?\n\r?\n/, 1);
  const lines = fields!.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  const name = 'authentication-results:';
  return (
    lines
      .find((line) => line.toLowerCase().startsWith(name))
      ?.slice(name.length)
      .trim() ?? null
  );
}
