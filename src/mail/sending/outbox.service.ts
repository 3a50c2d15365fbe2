import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { Config } from '../../platform/config/config.js';
import { DomainEventBus, OnDomainEvent } from '../../platform/database/domain-events.js';
import { POOL } from '../../platform/database/pool.js';
import { transaction } from '../../platform/database/transaction.js';
import { Sweep } from '../../platform/lib/sweep.js';
import type { Prepared } from '../kinds/kind.js';
import { Kinds } from '../kinds/kinds.js';
import { htmlOf, textOf } from '../letters/layout.js';
import type { Letter } from '../letters/letter.js';
import { Stationery } from '../letters/stationery.js';
import { markAddress } from '../../visitors/address-status.queries.js';
import type { LeasedMail } from '../model/mail.js';
import { MailSetup } from '../model/mail-setup.js';
import { announceMissed } from '../model/announcing.js';
import '../model/mails.events.js';
import {
  type DueMail,
  endTry,
  findDueMails,
  findHourlyWait,
  leaseMail,
  postponeMail,
  removeOldMails,
  type TryResult,
} from './outbox.queries.js';
import { MailMetrics } from './mail-metrics.js';
import { resultOf } from './retries.js';
import { Smtp, TRY_MS } from './smtp.js';

/** Milliseconds between two checks for due mails that no event announced. */
const INTERVAL_MS = 3_000;
/** How many mails a node sends at a time. */
export const CONCURRENCY = 8;
/** The longest time that a stop waits for mails that are being sent. */
const STOP_MS = 5_000;
/** How long a node has a mail: longer than a try takes. */
const LEASE_MS = TRY_MS + 60_000;
/** How many checks pass between two removals of old texts. */
const RETENTION_EVERY = 1_200;
const RETENTION_MS = 30 * 24 * 3_600_000;

type Ended = Omit<TryResult, 'content' | 'isTried'> & Partial<TryResult>;

/**
 * Sends the mails that are due (CONTRACT: E-mail). Every node checks, and the lease in the row decides which one sends. If that node is
 * lost before it has noted the result, the mail is sent again with the same Message-ID.
 */
@Injectable()
export class Outbox implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Mail');
  private readonly sweep = new Sweep({
    interval: () => INTERVAL_MS,
    isNeeded: () => this.setup.isOn,
    run: () => this.run(),
    onError: (err, isFirst) => isFirst && this.logger.warn({ err }, 'failed to read the mails to send'),
  });
  /** The mails on their way, with their organizations. */
  private readonly sending = new Map<Promise<void>, string>();
  private runs = 0;
  private isFailing = false;

  constructor(
    private readonly manager: EntityManager,
    @Inject(POOL) private readonly pool: Pool,
    private readonly setup: MailSetup,
    private readonly smtp: Smtp,
    private readonly kinds: Kinds,
    private readonly stationery: Stationery,
    private readonly metrics: MailMetrics,
    private readonly config: Config,
    private readonly events: DomainEventBus,
  ) {}

  onApplicationBootstrap(): void {
    if (this.setup.isOn) this.sweep.schedule();
  }

  async onModuleDestroy(): Promise<void> {
    this.sweep.stop();
    // A server that hangs doesn't delay the stop: the mail is sent again when its lease has ended.
    await Promise.race([Promise.all(this.sending.keys()), sleep(STOP_MS, undefined, { ref: false })]);
  }

  @OnDomainEvent('mails.queued')
  onQueued(): void {
    this.sweep.trigger();
  }

  /** Removes the texts of old mails, and old mails without a chat. */
  removeOld(now = new Date()): Promise<void> {
    return removeOldMails(this.pool, now, new Date(now.getTime() - RETENTION_MS));
  }

  // Doesn't wait for the mails: while the server is slow with one, others are sent.
  private async run(): Promise<void> {
    if (this.runs++ % RETENTION_EVERY === 0) await this.removeOld();
    // Organizations without a mail on its way come first, so one with many mails delays another's by one at most.
    const begun = new Set<string>();
    for (const except of [[...new Set(this.sending.values())], []]) {
      const free = CONCURRENCY - this.sending.size;
      if (free <= 0) return;
      const mails = await findDueMails(this.pool, free, except);
      for (const mail of mails.filter(({ id }) => !begun.has(id))) if (!this.sweep.isStopped) this.begin(mail);
      for (const { id } of mails) begun.add(id);
    }
  }

  private begin(mail: DueMail): void {
    const done = this.handle(mail)
      .then(() => this.sweep.trigger())
      .catch((err: unknown) => {
        if (!this.sweep.isStopped)
          this.logger.warn({ err, id: mail.id }, 'failed to handle a mail; it will be retried');
      })
      .finally(() => {
        this.sending.delete(done);
      });
    this.sending.set(done, mail.organizationId);
  }

  private async handle(due: DueMail): Promise<void> {
    const mail = await transaction(this.manager, (tx) => this.lease(tx, due));
    if (mail) await this.send(mail);
  }

  private async lease(tx: EntityManager, due: DueMail): Promise<LeasedMail | null> {
    const now = new Date();
    const wait = due.isToVisitor ? await findHourlyWait(tx, due, now, this.config.MAIL_MAX_PER_HOUR) : null;
    if (wait === null) return leaseMail(tx, due, now, new Date(now.getTime() + LEASE_MS));
    await postponeMail(tx, due, wait, now);
    return null;
  }

  private async send(mail: LeasedMail): Promise<void> {
    const paper = await this.stationery.find(mail.organizationId, mail.language);
    const kind = this.kinds.find(mail.kind);
    // A node of a later release sends it.
    if (!kind) return;
    const prepared: Prepared = paper ? await kind.prepare(mail, paper) : { lapsed: 'the organization was deleted' };
    if ('lapsed' in prepared) {
      const { lapsed: error, ...more } = prepared;
      return this.end(mail, { status: 'LAPSED', dueAt: null, error, ...more });
    }
    if ('waitsUntil' in prepared) return this.end(mail, { status: 'WAITING', dueAt: prepared.waitsUntil, error: null });
    const text = textOf(prepared.letter);
    const outcome = await this.smtp.send({ ...this.outgoing(mail, prepared.letter), text });
    this.log(mail, outcome);
    this.metrics.onAttempt(outcome.type);
    const result = resultOf(outcome, mail, this.config.MAIL_RETRY_SECONDS, new Date());
    await this.end(mail, { ...result, isTried: true, content: outcome.type === 'sent' ? text : null });
  }

  private async end(mail: LeasedMail, ended: Ended): Promise<void> {
    const result: TryResult = { isTried: false, content: null, ...ended };
    const isEnded = await transaction(this.manager, async (tx) => {
      const now = new Date();
      const { organizationId, to } = mail;
      await announceMissed(tx, this.events, mail);
      if (!(await endTry(tx, mail, result, now))) return false;
      if (result.status === 'BOUNCED') await markAddress(tx, organizationId, to, 'BOUNCED', now);
      return true;
    });
    if (isEnded) this.metrics.onEnded(result.status);
  }

  private outgoing({ to, token }: LeasedMail, letter: Letter) {
    const { fromName, subject, unsubscribe, references } = letter;
    const { from } = this.setup;
    return {
      from: { name: from!.name ?? fromName, address: from!.address },
      to,
      replyTo: this.setup.replyTo(token),
      envelopeSender: this.setup.envelopeSender(token),
      messageId: this.setup.messageId(token),
      references,
      subject,
      html: htmlOf(letter),
      headers: {
        'X-Auto-Response-Suppress': 'DR, RN, NRN, OOF, AutoReply',
        ...(letter.isAutomatic && { 'Auto-Submitted': 'auto-generated' }),
        ...(unsubscribe && { 'List-Unsubscribe': `<${unsubscribe.url}>` }),
        ...(unsubscribe && this.setup.isSecure && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
      },
    };
  }

  // Logs only the first failure, and the first success after it: each mail has its own error in its row.
  private log({ organizationId, id }: LeasedMail, outcome: { type: string; error?: string }): void {
    const isFailing = outcome.type === 'later' || outcome.type === 'blocked';
    if (isFailing && !this.isFailing)
      this.logger.warn(
        { organizationId, id, error: outcome.error },
        'the mail server does not take mails; they are retried',
      );
    if (!isFailing && this.isFailing) this.logger.log('the mail server takes mails again');
    this.isFailing = isFailing;
  }
}
