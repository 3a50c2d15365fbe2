import { Injectable } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { Config } from '../../platform/config/config.js';
import { parseDkimKey } from '../../platform/config/mail-variables.js';
import { parseSmtpUrl } from '../../platform/config/mail-url.js';
import { MailTokens, TokenError } from '../oauth/mail-tokens.service.js';
import { printable } from '../../platform/lib/printable.js';

/** The most milliseconds that the server may be silent. */
const SILENCE_MS = 60_000;
/** The most milliseconds of a whole try: a server that sends a byte now and then isn't silent. */
export const TRY_MS = 150_000;
const MAX_ERROR = 500;

/** A mail as the server gets it. */
export interface Outgoing {
  from: { name: string; address: string };
  to: string;
  replyTo: string;
  envelopeSender: string;
  messageId: string;
  references: string | null;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

/**
 * What the server said. `later`: try again soon. `blocked`: it refuses us and not the address, so try again for days. `refused`: the
 * address doesn't exist.
 */
export type SmtpOutcome = { type: 'sent' } | { type: 'later' | 'blocked' | 'refused'; error: string };

interface Attempt {
  outcome: SmtpOutcome;
  isSignInRefused: boolean;
}

interface SmtpError {
  message: string;
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

const ENHANCED = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/;
/** Refusals of a recipient that don't say that the address doesn't exist. */
const NOT_THE_ADDRESS = /^5\.(?:1\.[78]|2\.2|7\.\d+)$/;
/** What a server says after the text when the address doesn't exist. */
const BAD_ADDRESS = /^5\.1\.[123]$/;

/** Sorts an error of a try (CONTRACT: E-mail). */
function outcomeOf(error: SmtpError): SmtpOutcome {
  const text = printable((error.response ?? error.message).slice(0, MAX_ERROR));
  const { responseCode = 0, command = '', response = '' } = error;
  const isAuth = error.code === 'EAUTH' || error.code === 'ETLS';
  if (!isAuth && (responseCode < 500 || responseCode > 599)) return { type: 'later', error: text };
  if (isAuth && responseCode >= 400 && responseCode < 500) return { type: 'later', error: text };
  const enhanced = ENHANCED.exec(response)?.[1] ?? '';
  const isRefused =
    command === 'RCPT TO' ? !NOT_THE_ADDRESS.test(enhanced) : command === 'DATA' && BAD_ADDRESS.test(enhanced);
  return { type: isRefused ? 'refused' : 'blocked', error: text };
}

/** The SMTP server of SMTP_URL. */
@Injectable()
export class Smtp {
  constructor(
    private readonly config: Config,
    private readonly tokens: MailTokens,
  ) {}

  /** Sends a mail over a connection of its own. Never throws. */
  async send(mail: Outgoing): Promise<SmtpOutcome> {
    const { auth } = parseSmtpUrl(this.config.SMTP_URL!);
    if (auth?.pass === null) return this.sendByOAuth(mail, auth.user);
    return (await this.attempt(mail, auth, TRY_MS)).outcome;
  }

  // A token that the server refuses is renewed once.
  private async sendByOAuth(mail: Outgoing, user: string): Promise<SmtpOutcome> {
    const startedAt = performance.now();
    try {
      const accessToken = await this.tokens.get();
      const first = await this.attempt(mail, { type: 'OAuth2', user, accessToken }, TRY_MS);
      if (!first.isSignInRefused) return first.outcome;
      const next = await this.tokens.get(accessToken);
      const left = TRY_MS - (performance.now() - startedAt);
      return (await this.attempt(mail, { type: 'OAuth2', user, accessToken: next }, left)).outcome;
    } catch (error) {
      const isRefused = error instanceof TokenError && error.isRefused;
      return { type: isRefused ? 'blocked' : 'later', error: printable((error as Error).message.slice(0, MAX_ERROR)) };
    }
  }

  private async attempt(mail: Outgoing, auth: object | null, milliseconds: number): Promise<Attempt> {
    const transport = createTransport(this.options(auth));
    const { envelopeSender, messageId, references, to, ...rest } = mail;
    const envelope = { from: envelopeSender, to: [to] };
    const thread = references === null ? {} : { references, inReplyTo: references };
    let timer: NodeJS.Timeout | undefined;
    const tooSlow = new Promise<never>((_, reject) => {
      const error = new Error(`the server took more than ${TRY_MS / 1000} s`);
      timer = setTimeout(() => reject(error), milliseconds).unref();
    });
    try {
      await Promise.race([transport.sendMail({ ...rest, ...thread, to, envelope, messageId, ...SAFE }), tooSlow]);
      return { outcome: { type: 'sent' }, isSignInRefused: false };
    } catch (error) {
      const outcome = outcomeOf(error as SmtpError);
      return { outcome, isSignInRefused: outcome.type === 'blocked' && (error as SmtpError).code === 'EAUTH' };
    } finally {
      clearTimeout(timer);
      transport.close();
    }
  }

  private options(auth: object | null) {
    const { host, port, isImplicitTls, isLocal } = parseSmtpUrl(this.config.SMTP_URL!);
    const { MAIL_DKIM_DOMAIN, MAIL_DKIM_SELECTOR, MAIL_DKIM_KEY } = this.config;
    const dkim = MAIL_DKIM_KEY && {
      domainName: MAIL_DKIM_DOMAIN!,
      keySelector: MAIL_DKIM_SELECTOR!,
      privateKey: parseDkimKey(MAIL_DKIM_KEY),
    };
    return {
      host,
      port,
      secure: isImplicitTls,
      // A local server may have no certificate.
      ...(isLocal ? { ignoreTLS: true, tls: { rejectUnauthorized: false } } : { requireTLS: true }),
      ...(auth && { auth }),
      ...(dkim && { dkim }),
      connectionTimeout: SILENCE_MS,
      greetingTimeout: SILENCE_MS,
      socketTimeout: SILENCE_MS,
    };
  }
}

/** Keeps people's texts from naming files or addresses that the mail library reads. */
const SAFE = { disableFileAccess: true, disableUrlAccess: true } as const;
