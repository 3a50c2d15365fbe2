import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import pLimit from 'p-limit';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { type Limit, RateLimits } from '../../auth/limits/rate-limit.js';
import { SignInLinksService } from '../../auth/sign-in/sign-in-links.service.js';
import { POOL } from '../../platform/database/pool.js';
import { transaction } from '../../platform/database/transaction.js';
import { isStorable } from '../../platform/lib/json.js';
import { newId } from '../../platform/lib/ids.js';
import { foldText } from '../../platform/locale/fold.js';
import { MailAddresses } from '../model/mail-addresses.js';
import { type MailLimitRule, spendMailLimit } from '../model/mail-limits.queries.js';
import { MailSetup } from '../model/mail-setup.js';
import { MailsService } from '../model/mails.service.js';
import { findResetTargets, type ResetTarget } from './password-resets.queries.js';
import { PasswordResetMail } from './sign-in.mail.js';

const LINK_LIFETIME_MS = 60 * 60 * 1000;
/** The limit of mails to one address. */
const OF_ADDRESS: MailLimitRule = { count: 3, seconds: 3_600, pauseSeconds: 0 };
/** The most requests from one source address in a minute. */
const OF_SOURCE = 10;
const MINUTE_SECONDS = 60;
/** How many requests are handled at a time, and how many may wait. Further ones are dropped. */
const CONCURRENCY = 2;
const MAX_WAITING = 1_000;

/** Mails links to agents who forgot their password (CONTRACT: E-mail). */
@Injectable()
export class PasswordResetsService implements OnModuleDestroy {
  private readonly logger = new Logger(PasswordResetsService.name);
  private readonly turns = pLimit(CONCURRENCY);
  private readonly ofSource: Limit;
  private running: Promise<void> = Promise.resolve();

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly manager: EntityManager,
    private readonly links: SignInLinksService,
    private readonly mails: MailsService,
    private readonly setup: MailSetup,
    private readonly addresses: MailAddresses,
    private readonly mail: PasswordResetMail,
    limits: RateLimits,
  ) {
    this.ofSource = limits.make('password_resets', OF_SOURCE, MINUTE_SECONDS);
  }

  async onModuleDestroy(): Promise<void> {
    this.turns.clearQueue();
    await this.running;
  }

  /**
   * Mails a link to each agent with this address, unless there were too many requests. The caller doesn't wait, so neither the answer nor
   * its time says whether the address is known.
   * @param source the request's source address, as limits count it
   */
  async request(email: string, source: string): Promise<void> {
    const isAllowed = await this.ofSource.spend(source).then(
      () => true,
      () => false,
    );
    if (!this.setup.isOn || !isAllowed || !isStorable(email) || this.turns.pendingCount >= MAX_WAITING) return;
    const done = this.turns(() => this.send(foldText(email))).catch((err: unknown) => {
      this.logger.warn({ err }, 'failed to mail a link for a forgotten password');
    });
    this.running = Promise.all([this.running, done]).then(() => undefined);
  }

  // Only addresses of agents are counted, so that made-up ones store nothing.
  private async send(emailKey: string): Promise<void> {
    const targets = await findResetTargets(this.pool, emailKey);
    if (targets.length === 0) return;
    const key = this.addresses.limitKey('password_reset', emailKey);
    if (!(await transaction(this.manager, (tx) => spendMailLimit(tx, key, OF_ADDRESS, new Date())))) return;
    for (const target of targets) await this.sendTo(target);
  }

  private sendTo({ organizationId, agentId, email }: ResetTarget): Promise<void> {
    const id = newId('eml');
    return transaction(this.manager, async (tx) => {
      await this.links.add(tx, { organizationId, agentId, token: this.mail.tokenOf(id), lifetime: LINK_LIFETIME_MS });
      await this.mails.queue(tx, { organizationId, id, kind: 'password_reset', to: email, agentId });
    });
  }
}
