import { createPrivateKey, createPublicKey } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { asciiDomain } from '../../../mail/reading/addresses.js';
import { parseDkimKey, parseMailbox, splitAddress } from '../../../platform/config/mail-variables.js';
import { reasonOf } from '../../service.js';
import { type Check, ok, warning } from '../check.js';
import { Dmarc, type DmarcPolicy, tagsOf, type TextLookup } from './dmarc.js';

const NAME = 'DKIM and DMARC';
/** Milliseconds that a DNS server may take, and how often it's asked. */
const DNS = { timeout: 3_000, tries: 2 };

/** What one method proves about our mails, in words. */
interface Finding {
  isAligned: boolean;
  detail: string;
}

/** Compares the domains of the envelope sender and of our signature with MAIL_FROM's (RFC 9989). Null: no mail is sent. */
export async function checkAlignment(
  environment: NodeJS.ProcessEnv,
  lookup: TextLookup = lookUpTexts,
): Promise<Check | null> {
  const { SMTP_URL, MAIL_FROM } = environment;
  if (!SMTP_URL || !MAIL_FROM) return null;
  try {
    const from = domainOf(parseMailbox(MAIL_FROM).address);
    // Without a dot, as in root@localhost, it's no name of the DNS.
    return from === null ? null : await compare(from, environment, lookup);
  } catch (error) {
    return warning(NAME, reasonOf(error), 'check MAIL_FROM, and whether this machine reaches a DNS server');
  }
}

async function compare(from: string, environment: NodeJS.ProcessEnv, lookup: TextLookup): Promise<Check> {
  const dmarc = new Dmarc(lookup);
  const policy = await dmarc.findPolicy(from);
  const sender = domainOf(senderOf(environment)) ?? from;
  const spf = await findSpf(sender, lookup);
  spf.isAligned &&= await dmarc.isAligned(sender, from, policy?.isSpfStrict ?? false);
  const dkim = await findDkim(environment, lookup);
  const signer = environment.MAIL_DKIM_DOMAIN;
  dkim.isAligned &&= await dmarc.isAligned(signer!.toLowerCase(), from, policy?.isDkimStrict ?? false);
  const detail = [
    describePolicy(from, policy),
    `SPF: ${spf.detail}${describeAlignment(spf.isAligned, sender, from)}`,
    `DKIM: ${dkim.detail}${signer ? describeAlignment(dkim.isAligned, signer, from) : ''}`,
  ].join('; ');
  if (spf.isAligned || dkim.isAligned) return ok(NAME, detail);
  const remedy = signer
    ? `publish MAIL_DKIM_KEY's public key, and sign for ${from}`
    : `let the mail server sign for ${from}, or set MAIL_DKIM_DOMAIN, MAIL_DKIM_SELECTOR, and MAIL_DKIM_KEY`;
  return warning(NAME, detail, `others may refuse our mails: ${remedy}; see docs/operate/mail.md`);
}

function senderOf({ MAIL_SENDER, MAIL_REPLY_ADDRESS, MAIL_FROM }: NodeJS.ProcessEnv): string {
  return MAIL_SENDER || MAIL_REPLY_ADDRESS || parseMailbox(MAIL_FROM!).address;
}

async function findSpf(domain: string, lookup: TextLookup): Promise<Finding> {
  const texts = await lookup(domain);
  const isPublished = texts.some((text) => /^v=spf1(?: |$)/i.test(text));
  return { isAligned: isPublished, detail: isPublished ? `${domain} has a record` : `${domain} has no record` };
}

/** Whether receivers can check our signature. The server may sign too, which isn't known here. */
async function findDkim(environment: NodeJS.ProcessEnv, lookup: TextLookup): Promise<Finding> {
  const { MAIL_DKIM_DOMAIN, MAIL_DKIM_SELECTOR, MAIL_DKIM_KEY } = environment;
  if (!MAIL_DKIM_DOMAIN || !MAIL_DKIM_SELECTOR || !MAIL_DKIM_KEY)
    return { isAligned: false, detail: 'Parley does not sign, and the mail server may' };
  const name = `${MAIL_DKIM_SELECTOR}._domainkey.${MAIL_DKIM_DOMAIN}`;
  const published = (await lookup(name)).map((text) => tagsOf(text).get('p')?.replaceAll(/\s/g, ''));
  if (published.length === 0) return { isAligned: false, detail: `${name} has no record` };
  const own = createPublicKey(createPrivateKey(parseDkimKey(MAIL_DKIM_KEY)));
  const forms = (['spki', 'pkcs1'] as const).map((type) => own.export({ type, format: 'der' }).toString('base64'));
  const isOwn = published.some((key) => key !== undefined && forms.includes(key));
  return { isAligned: isOwn, detail: isOwn ? `${name} has our key` : `${name} has another key than MAIL_DKIM_KEY` };
}

function describePolicy(from: string, policy: DmarcPolicy | null): string {
  return policy ? `${policy.domain} asks for ${policy.policy}` : `${from} has no DMARC record`;
}

function describeAlignment(isAligned: boolean, domain: string, from: string): string {
  if (isAligned) return ', aligned';
  return domain.toLowerCase() === from ? '' : `, not aligned with ${from}`;
}

function domainOf(address: string): string | null {
  return asciiDomain(splitAddress(address).domain);
}

async function lookUpTexts(name: string): Promise<string[]> {
  try {
    return (await new Resolver(DNS).resolveTxt(name)).map((parts) => parts.join(''));
  } catch (error) {
    if (['ENODATA', 'ENOTFOUND'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw new Error(`the DNS has no answer for ${name}: ${reasonOf(error)}`, { cause: error });
  }
}
