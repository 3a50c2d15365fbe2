import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { connect } from 'node:net';
import { ImapFlow } from 'imapflow';
import { until } from '../../support/eventually.js';
import { disown, own, signal } from '../../support/owned.js';
import { freePort } from '../../support/ports.mjs';

/** Debian's user without rights. Dovecot runs as another user than root, and so do its own processes. */
const NOBODY = 65_534;

const OAUTH = `
      auth_mechanisms = plain xoauth2
      passdb {
        driver = oauth2
        mechanisms = xoauth2
        args = FILE
      }`;

export interface DovecotOptions {
  /** Lines of the configuration. */
  settings?: string;
  /** The address that says whether an access token is valid. */
  introspection?: string;
}

/** A Dovecot of the test, on 127.0.0.1 without TLS, which can be killed, frozen, and restarted at the same address. */
export class Dovecot {
  readonly user = 'support@parley.example';
  readonly password = 'a password: 1/2';
  private readonly directory = mkdtempSync(join(tmpdir(), 'dovecot-'));
  private child?: ChildProcess;

  private constructor(
    readonly port: string,
    private readonly options: DovecotOptions,
  ) {}

  static async start(options: DovecotOptions = {}): Promise<Dovecot> {
    const server = new Dovecot(await freePort(), options);
    server.configure();
    await server.restart();
    return server;
  }

  get url(): string {
    return this.urlWith(this.password);
  }

  urlWith(password: string): string {
    return `imap://${encodeURIComponent(this.user)}:${encodeURIComponent(password)}@127.0.0.1:${this.port}`;
  }

  /** What the server has logged. */
  get log(): string {
    return readFileSync(join(this.directory, 'log'), 'utf8');
  }

  async restart(): Promise<void> {
    const isRoot = process.getuid!() === 0;
    const child = spawn('/usr/sbin/dovecot', ['-F', '-c', join(this.directory, 'dovecot.conf')], {
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
      ...(isRoot && { uid: NOBODY, gid: NOBODY }),
    });
    const failed = once(child, 'error').then(([error]) => Promise.reject(new Error('dovecot', { cause: error })));
    // The processes of the server are one group.
    if (child.pid !== undefined) own(-child.pid);
    this.child = child;
    await Promise.race([until('Dovecot answers', () => this.answers()), failed]);
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    signal(-child.pid, 'SIGCONT');
    signal(-child.pid, 'SIGKILL');
    await ended;
    disown(-child.pid);
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Stops answering, and keeps all connections. */
  freeze(): void {
    signal(-this.child!.pid!, 'SIGSTOP');
  }

  thaw(): void {
    signal(-this.child!.pid!, 'SIGCONT');
  }

  /** Lets the next start give all mails new numbers. The server must not run. */
  forgetNumbers(): void {
    const mailbox = join(this.directory, 'mail', this.user);
    for (const file of ['dovecot-uidlist', 'dovecot-uidvalidity', 'dovecot.index', 'dovecot.index.log'])
      rmSync(join(mailbox, file), { force: true });
  }

  /** Puts a mail into the mailbox. Returns its UID. */
  deliver(source: string, flags: string[] = []): Promise<number> {
    return this.use(async (client) => {
      const result = await client.append('INBOX', source, flags);
      return (result as { uid: number }).uid;
    });
  }

  /** The UIDs of mails that are marked as read. */
  seen(): Promise<number[]> {
    return this.use(async (client) => {
      await client.mailboxOpen('INBOX', { readOnly: true });
      return (await client.search({ seen: true }, { uid: true })) || [];
    });
  }

  /** The UIDs of all mails. */
  all(): Promise<number[]> {
    return this.use(async (client) => {
      await client.mailboxOpen('INBOX', { readOnly: true });
      return (await client.search({ all: true }, { uid: true })) || [];
    });
  }

  private async use<T>(work: (client: ImapFlow) => Promise<T>): Promise<T> {
    const auth = { user: this.user, pass: this.password };
    const client = new ImapFlow({ host: '127.0.0.1', port: Number(this.port), auth, doSTARTTLS: false, logger: false });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.logout();
    }
  }

  private configure(): void {
    const isRoot = process.getuid!() === 0;
    const user = isRoot ? 'nobody' : userInfo().username;
    const group = isRoot ? 'nogroup' : String(process.getgid!());
    const path = (name: string) => join(this.directory, name);
    for (const name of ['run', 'state', 'mail']) mkdirSync(path(name));
    writeFileSync(path('users'), `${this.user}:{PLAIN.b64}${Buffer.from(this.password).toString('base64')}\n`);
    const { introspection } = this.options;
    if (introspection !== undefined)
      writeFileSync(
        path('oauth'),
        `introspection_mode = auth\nintrospection_url = ${introspection}\nusername_attribute = email\nactive_attribute = active\nactive_value = true\n`,
      );
    writeFileSync(path('dovecot.conf'), this.settings(user, group));
    chmodSync(this.directory, 0o755);
    if (isRoot) for (const name of ['', 'run', 'state', 'mail']) chownSync(path(name), NOBODY, NOBODY);
  }

  private settings(user: string, group: string): string {
    const { directory, port, options } = this;
    return `
      base_dir = ${directory}/run
      state_dir = ${directory}/state
      log_path = ${directory}/log
      default_internal_user = ${user}
      default_internal_group = ${group}
      default_login_user = ${user}
      protocols = imap
      listen = 127.0.0.1
      ssl = no
      disable_plaintext_auth = no
      first_valid_uid = 1
      mail_location = maildir:${directory}/mail/%u
      auth_failure_delay = 0
      passdb {
        driver = passwd-file
        args = ${directory}/users
      }
      ${options.introspection === undefined ? '' : OAUTH.replace('FILE', `${directory}/oauth`)}
      userdb {
        driver = static
        args = uid=${user} gid=${group} home=${directory}/mail/%u
      }
      service imap-login {
        chroot =
        inet_listener imap {
          port = ${port}
        }
        inet_listener imaps {
          port = 0
        }
      }
      service anvil {
        chroot =
        # Wrong passwords don't slow down others.
        unix_listener anvil-auth-penalty {
          mode = 0
        }
      }
      ${options.settings ?? ''}
    `;
  }

  private answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(Number(this.port), '127.0.0.1');
      socket.once('data', (data) => {
        socket.destroy();
        resolve(data.toString().startsWith('* OK'));
      });
      for (const event of ['error', 'close']) socket.once(event, () => resolve(false));
    });
  }
}
