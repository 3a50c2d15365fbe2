import { createTransport, type Transporter } from 'nodemailer';
import { parseSmtpUrl } from '../../../platform/config/mail-url.js';
import { reasonOf } from '../../service.js';
import { type Check, ok, warning, within } from '../check.js';
import { adviseMail } from './advice.js';
import { getMailToken, NoToken } from './token.js';

const NAME = 'SMTP';
const TIMEOUT_MS = 15_000;
const ADVICE = 'see SMTP_URL in docs/operate/mail.md; until then mails wait, and everything else goes on';

/** Connects and signs in to the mail server, and sends nothing. Null: SMTP_URL isn't set. */
export async function checkSmtp(environment: NodeJS.ProcessEnv): Promise<Check | null> {
  const { SMTP_URL, MAIL_FROM, PUBLIC_URL } = environment;
  if (!SMTP_URL) return null;
  const missing = MAIL_FROM ? 'PUBLIC_URL' : 'MAIL_FROM';
  if (!MAIL_FROM || !PUBLIC_URL) return warning(NAME, `${missing} is not set: no mail is sent`, `set ${missing}`);
  try {
    return await within(TIMEOUT_MS, 'no answer', connect(SMTP_URL, environment));
  } catch (error) {
    // Parley works without mail, so it's no failure.
    if (error instanceof NoToken) return warning(NAME, error.message, error.advice);
    const detail = reasonOf(error);
    return warning(NAME, detail, adviseMail(detail, ADVICE));
  }
}

async function connect(text: string, environment: NodeJS.ProcessEnv): Promise<Check> {
  const { host, port, auth } = parseSmtpUrl(text);
  const transport = await openTransport(environment);
  try {
    await transport.verify();
    return ok(NAME, `${host}:${port} answers${auth ? ', and the sign-in works' : ''}`);
  } finally {
    transport.close();
  }
}

/** A connection to SMTP_URL, as the service makes them. @throws NoToken */
export async function openTransport(environment: NodeJS.ProcessEnv): Promise<Transporter> {
  const { host, port, isImplicitTls, isLocal, auth: given } = parseSmtpUrl(environment.SMTP_URL!);
  const auth =
    given?.pass === null
      ? { type: 'OAuth2' as const, user: given.user, accessToken: await getMailToken(environment) }
      : given && { user: given.user, pass: given.pass };
  const tls = isLocal ? { ignoreTLS: true, tls: { rejectUnauthorized: false } } : { requireTLS: true };
  return createTransport({ host, port, secure: isImplicitTls, ...tls, ...(auth && { auth }) });
}
