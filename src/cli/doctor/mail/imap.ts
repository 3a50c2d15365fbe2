import { describeImapError, Imap } from '../../../mail/receiving/imap.js';
import { parseImapUrl } from '../../../platform/config/mail-url.js';
import { type Check, ok, warning, within } from '../check.js';
import { adviseMail } from './advice.js';
import { getMailToken, NoToken } from './token.js';

const NAME = 'IMAP';
const TIMEOUT_MS = 15_000;
const ADVICE =
  'see IMAP_URL in docs/operate/mail.md; until then replies stay in the mailbox, and everything else goes on';

const NO_PROOF =
  'agents check every reply until MAIL_AUTHSERV_ID names the server that checks senders; see docs/operate/mail.md';

/** Connects and signs in to the mailbox, and reads nothing. Null: IMAP_URL isn't set. */
export async function checkImap(environment: NodeJS.ProcessEnv): Promise<Check | null> {
  const { IMAP_URL } = environment;
  if (!IMAP_URL) return null;
  const missing = ['SMTP_URL', 'MAIL_FROM', 'PUBLIC_URL'].find((name) => !environment[name]);
  if (missing) return warning(NAME, `${missing} is not set: the mailbox is not read`, `set ${missing}`);
  try {
    return await within(TIMEOUT_MS, 'no answer', connect(environment));
  } catch (error) {
    // Parley works without mail, so it's no failure.
    if (error instanceof NoToken) return warning(NAME, error.message, error.advice);
    const detail = describeImapError(error);
    return warning(NAME, detail, adviseMail(detail, ADVICE));
  }
}

async function connect(environment: NodeJS.ProcessEnv): Promise<Check> {
  const { host, port } = parseImapUrl(environment.IMAP_URL!);
  const imap = await openMailbox(environment);
  const { hasIdle } = imap;
  await imap.close();
  const how = hasIdle ? 'it announces new mail (IDLE)' : 'it has no IDLE, so it is asked every 30 s';
  const answer = `${host}:${port} answers, and the sign-in works; ${how}`;
  return environment.MAIL_AUTHSERV_ID
    ? ok(NAME, answer)
    : warning(NAME, `${answer}; MAIL_AUTHSERV_ID is not set`, NO_PROOF);
}

/** The mailbox of IMAP_URL, signed in. @throws NoToken, Error that `describeImapError` describes */
export async function openMailbox(environment: NodeJS.ProcessEnv): Promise<Imap> {
  const url = parseImapUrl(environment.IMAP_URL!);
  const { user, pass } = url.auth;
  return Imap.open(url, pass === null ? { user, accessToken: await getMailToken(environment) } : { user, pass });
}
