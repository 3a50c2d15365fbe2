import { asciiDomain, domainOf } from './addresses.js';
import { type MethodResult, parseAuthentication } from './authentication-results.js';
import type { ReceivedMail } from './received-mail.js';

/** The value of `MAIL_AUTHSERV_ID` for servers whose field has no id. */
const WITHOUT_ID = 'microsoft';

/**
 * Whether the receiving server vouches for the mail's sender (CONTRACT: E-mail): its topmost `Authentication-Results`
 * says `dmarc=pass` for From's domain, or `dkim=pass` for an aligned one. A field that isn't one of RFC 8601 proves nothing, and neither
 * does one with `dmarc=fail`.
 * @param authservId the server's id, in any case, or `microsoft`; without it no mail has proof
 */
export function hasProof(mail: Pick<ReceivedMail, 'from' | 'authentication'>, authservId: string | undefined): boolean {
  const { from, authentication } = mail;
  if (from === null || authentication === null || !authservId?.trim()) return false;
  const wanted = authservId.trim().toLowerCase();
  const results = parseAuthentication(authentication, wanted !== WITHOUT_ID);
  if (results === null || (wanted !== WITHOUT_ID && results.id !== wanted)) return false;
  const domain = domainOf(from);
  // A server writes one result for DMARC: a second one comes from what the sender wrote.
  const dmarc = results.methods.filter(({ method }) => method === 'dmarc');
  if (dmarc.length > 1 || dmarc.some(({ result }) => result === 'fail')) return false;
  return results.methods.some((result) => result.result === 'pass' && provesSender(result, domain));
}

function provesSender({ method, properties }: MethodResult, domain: string): boolean {
  if (method === 'dmarc') return properties.get('header.from')?.every((value) => domainIn(value) === domain) ?? false;
  if (method !== 'dkim') return false;
  // The identity (`header.i`) may be in a subdomain of the signer's domain (`header.d`), so it counts only without a `header.d`.
  const signers = properties.get('header.d') ?? properties.get('header.i') ?? [];
  return signers.length > 0 && signers.every((signer) => isAligned(domainIn(signer), domain));
}

/** The domain of a value such as `example.com`, `@example.com`, or `ada@example.com`. */
function domainIn(value: string): string | null {
  return asciiDomain(value.slice(value.lastIndexOf('@') + 1));
}

/**
 * Whether a signature's domain is From's domain, or a parent domain of it. Without a list of public suffixes, two subdomains of the same
 * domain aren't aligned, and neither is a signer of two labels that looks like a suffix, such as `co.uk` or `com.br`: the last label has
 * two letters, and the one before at most three.
 */
function isAligned(signer: string | null, domain: string): boolean {
  if (signer === null) return false;
  return signer === domain || (domain.endsWith(`.${signer}`) && !isLikeSuffix(signer));
}

function isLikeSuffix(domain: string): boolean {
  const labels = domain.split('.');
  const [second, top] = labels.slice(-2) as [string, string];
  return labels.length < 2 || (labels.length === 2 && top.length === 2 && second.length <= 3);
}
