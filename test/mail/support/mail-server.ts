import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { eventually } from '../../support/eventually.js';

/** A mail as the server got it. */
export interface ArrivedMail {
  from: string;
  to: string[];
  /** The header fields in lower case, unfolded. */
  headers: Record<string, string>;
  /** The whole source. */
  source: string;
  /** The decoded plain text, and the decoded HTML. */
  text: string;
  html: string;
}

/** What the server answers instead of taking a mail. */
export class Refusal extends Error {
  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message);
  }
}

export interface Behaviour {
  /** Whether an access token is valid (XOAUTH2). */
  onToken?: (token: string) => boolean;
  /** Refuses the sender. */
  onSender?: () => Refusal | null;
  /** Refuses a recipient. */
  onRecipient?: (address: string) => Refusal | null;
  /** Called after the text has arrived, before the answer. `null` hangs up. */
  onText?: (mail: ArrivedMail) => Refusal | 'hang up' | undefined | Promise<Refusal | 'hang up' | undefined>;
}

/** An SMTP server on loopback, which keeps what it took. */
export class MailServer {
  readonly mails: ArrivedMail[] = [];
  /** Who signed in, or tried to. */
  readonly users: string[] = [];
  behaviour: Behaviour = {};

  private constructor(private readonly server: SMTPServer) {}

  static async start(port = 0): Promise<MailServer> {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      authOptional: true,
      logger: false,
      authMethods: ['PLAIN', 'XOAUTH2'],
      onAuth: ({ username, accessToken }, _session, done) => {
        own.users.push(username!);
        if (accessToken !== undefined && own.behaviour.onToken?.(accessToken)) done(null, { user: username });
        else done(new Refusal(535, '5.7.8 authentication failed'));
      },
      onMailFrom: (_address, _session, done) => done(own.behaviour.onSender?.() ?? undefined),
      onRcptTo: ({ address }, _session, done) => done(own.behaviour.onRecipient?.(address) ?? undefined),
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope;
          const from = mailFrom === false ? '' : mailFrom.address;
          const mail = parse(
            from,
            rcptTo.map(({ address }) => address),
            Buffer.concat(chunks).toString(),
          );
          void Promise.resolve(own.behaviour.onText?.(mail)).then((answer) => {
            own.mails.push(mail);
            if (answer === 'hang up') own.hangUp();
            else done(answer ?? null);
          });
        });
      },
    });
    const own = new MailServer(server);
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
    return own;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  /** The environment of a service that sends mail by this server. */
  get environment() {
    return {
      SMTP_URL: `smtp://127.0.0.1:${this.port}`,
      MAIL_FROM: 'support@parley.example',
      PUBLIC_URL: 'https://chat.example.com',
    };
  }

  /** Waits until this many mails to an address have arrived. */
  arrived(to: string, count = 1): Promise<ArrivedMail[]> {
    return eventually(
      () => this.to(to),
      ({ length }) => length >= count,
    );
  }

  to(address: string): ArrivedMail[] {
    return this.mails.filter(({ to }) => to.includes(address));
  }

  hangUp(): void {
    for (const { _socket } of this.server.connections as Set<unknown> as Set<{ _socket: { destroy(): void } }>)
      _socket.destroy();
  }

  close(): Promise<void> {
    this.hangUp();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

function parse(from: string, to: string[], source: string): ArrivedMail {
  const end = source.indexOf('\r\n\r\n');
  const headers = headersOf(source.slice(0, end));
  return {
    from,
    to,
    headers,
    source,
    text: partOf(source, 'text/plain').replaceAll('\r\n', '\n'),
    html: partOf(source, 'text/html'),
  };
}

function headersOf(head: string): Record<string, string> {
  const fields = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  return Object.fromEntries(
    fields.map((field) => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon).toLowerCase(), decodeWords(field.slice(colon + 1).trim())];
    }),
  );
}

function decodeWords(text: string): string {
  const joined = text.replaceAll(/\?=\s+=\?/g, '?==?');
  return joined.replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
    kind.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString() : quotedPrintable(word.replaceAll('_', ' ')),
  );
}

function quotedPrintable(text: string): string {
  const bytes = text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

function partOf(source: string, type: string): string {
  const begin = source.indexOf(`Content-Type: ${type}`);
  if (begin < 0) return '';
  const bodyAt = source.indexOf('\r\n\r\n', begin) + 4;
  const head = source.slice(begin - 200 < 0 ? 0 : begin - 200, bodyAt);
  const bodyEnd = source.indexOf('\r\n----', bodyAt);
  const body = source.slice(bodyAt, bodyEnd < 0 ? undefined : bodyEnd);
  const part = head.slice(Math.max(0, head.lastIndexOf('\r\n----')));
  if (/Content-Transfer-Encoding: base64/i.test(part)) return Buffer.from(body, 'base64').toString();
  return /Content-Transfer-Encoding: quoted-printable/i.test(part)
    ? quotedPrintable(Buffer.from(body).toString('latin1'))
    : body;
}
