import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Config } from '../../platform/config/config.js';
import { parseImapUrl } from '../../platform/config/mail-url.js';
import { MailMetrics } from '../sending/mail-metrics.js';
import { MailTokens } from '../oauth/mail-tokens.service.js';
import { describeImapError, Imap, type ImapAuth, isSignInRefused } from './imap.js';
import { MailboxIntake } from './mailbox-intake.js';
import { MailboxLease } from './mailbox-lease.js';
import type { MailboxPosition } from './mailbox.queries.js';

/** The longest time that a stop waits for a mail that's being stored. */
const STOP_MS = 5_000;
/** A connection that lasted this long has worked: the next failure is the first one. */
const WORKED_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

/**
 * Reads the mailbox of IMAP_URL (CONTRACT: E-mail). One node at a time does so, under a lease. If it's killed, another one continues after
 * the last mail that was recorded. A mail that was stored already is recognized by its Message-ID.
 */
@Injectable()
export class MailboxService implements OnApplicationBootstrap, OnModuleDestroy {
  /** Milliseconds. Tests shorten them. */
  readonly times = {
    /** Between two tries to take the mailbox that another node reads. */
    standby: 5_000,
    /** Between two checks for new mail: `poll` without IDLE, `check` with it. */
    poll: 30_000,
    check: 120_000,
    /** Without a byte, until the server is asked whether it still answers. */
    silence: 60_000,
    /** Before a new connection after the first failure. Each further failure doubles it, up to `maxPause`. */
    pause: 1_000,
    maxPause: 300_000,
  };
  private readonly logger = new Logger('Mailbox');
  private readonly stopping = new AbortController();
  private imap: Imap | null = null;
  private running = Promise.resolve();
  private failures = 0;

  constructor(
    private readonly lease: MailboxLease,
    private readonly intake: MailboxIntake,
    private readonly tokens: MailTokens,
    private readonly metrics: MailMetrics,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.config.readsMailbox) return;
    this.metrics.watchMailbox(() => this.imap !== null);
    this.running = this.run();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    this.imap?.notify();
    await Promise.race([this.running, sleep(STOP_MS, undefined, { ref: false })]);
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      const position = await this.take();
      const pause = position === null ? this.times.standby : await this.serve(position);
      if (!this.isStopping) await this.sleep(pause);
    }
  }

  private take(): Promise<MailboxPosition | null> {
    // Without the database, it's tried again soon: the health checks and the log name that already.
    return this.lease.take(() => this.imap?.drop()).catch(() => null);
  }

  /** Reads the mailbox until the connection ends or the service stops. Returns the milliseconds before the next try. */
  private async serve(position: MailboxPosition): Promise<number> {
    const startedAt = performance.now();
    try {
      await this.read(position);
      return 0;
    } catch (error) {
      if (performance.now() - startedAt > WORKED_MS) this.failures = 0;
      if (!this.isStopping) this.onFailure(error);
      return Math.min(this.times.pause * 2 ** (this.failures - 1), this.times.maxPause);
    } finally {
      // Another node may reach the server.
      await this.lease.release().catch(() => undefined);
    }
  }

  private async read(position: MailboxPosition): Promise<void> {
    const imap = await this.open();
    try {
      await this.begin(imap, position);
      this.imap = imap;
      this.onConnected(imap);
      while (!this.isStopping) {
        const retryIn = await this.intake.readNew(imap, position, this.stopping.signal);
        if (this.isStopping) return;
        if (retryIn > 0) await this.sleep(retryIn);
        else await imap.wait(imap.hasIdle ? this.times.check : this.times.poll);
      }
    } finally {
      this.imap = null;
      await imap.close();
    }
  }

  // A token that the server refuses is renewed once.
  private async open(): Promise<Imap> {
    const url = parseImapUrl(this.config.IMAP_URL!);
    const { user, pass } = url.auth;
    const openWith = (auth: ImapAuth) => Imap.open(url, auth, this.times.silence);
    if (pass !== null) return openWith({ user, pass });
    const accessToken = await this.tokens.get();
    return openWith({ user, accessToken }).catch(async (error: unknown) => {
      if (!isSignInRefused(error)) throw error;
      return openWith({ user, accessToken: await this.tokens.get(accessToken) });
    });
  }

  // Mail from before the first start isn't read. If the server gives its mails new numbers, reading begins with the oldest unread mail that
  // isn't more than a day older than the last one that was handled. Mails that were stored are recognized by their Message-ID.
  private async begin(imap: Imap, position: MailboxPosition): Promise<void> {
    const { uidValidity } = imap;
    if (position.uidValidity === uidValidity) return;
    const isFirst = position.uidValidity === null;
    const since = new Date((position.readAt ?? new Date()).getTime() - DAY_MS);
    const unread = isFirst ? null : await imap.findUnreadSince(since);
    Object.assign(position, {
      uidValidity,
      lastUid: unread === null ? await imap.findLastUid() : unread - 1,
      failures: 0,
    });
    await this.lease.note(position);
    if (!isFirst)
      this.logger.warn({ uidValidity, from: position.lastUid + 1 }, 'the mail server gave its mails new numbers');
  }

  private onConnected(imap: Imap): void {
    const how = imap.hasIdle ? 'with IDLE' : `without IDLE, every ${this.times.poll / 1000} s`;
    if (this.failures === 0) this.logger.log(`reads the mailbox ${how}`);
    else this.logger.log(`reads the mailbox again, ${how}`);
  }

  // Only the first failure is logged. The metric says how long it lasts.
  private onFailure(error: unknown): void {
    this.failures++;
    const reason = describeImapError(error);
    if (this.failures === 1) this.logger.warn({ reason }, 'the mailbox cannot be read; it is tried again');
  }

  private async sleep(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { ref: false, signal: this.stopping.signal }).catch(() => undefined);
  }
}
