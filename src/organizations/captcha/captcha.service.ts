import { Injectable, Logger } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Config } from '../../platform/config/config.js';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { transaction } from '../../platform/database/transaction.js';
import { invalid, notFound, Problem, unavailable } from '../../platform/errors/problem.js';
import type { Precondition } from '../../platform/http/responses/etag.js';
import { deriveKeys, type Keys, seal, unseal } from '../../platform/lib/secrets.js';
import { LogSampler } from '../../platform/telemetry/log-sampler.js';
import { AddressGuard } from '../../platform/outbound/address-guard.js';
import '../organizations.events.js';
import { type Captcha, VERIFY_URLS, versionedCaptcha } from './captcha.js';
import { findCaptcha, storeCaptcha } from './captcha.queries.js';
import { CaptchaVerifier } from './captcha-verifier.js';

/** What a request changes. */
export interface CaptchaChange {
  before: Captcha | null;
  after: Captcha | null;
  /** Whether a captcha that existed before gets another secret. */
  hasNewSecret: boolean;
}

/** What belongs to a change, in its transaction. */
export interface CaptchaHooks {
  /** The version that the request changes; null: any. */
  precondition: Precondition | null;
  /** Records the change in the audit log. */
  record: (tx: EntityManager, name: string, change: CaptchaChange) => Promise<void>;
}

/** The captchas that new anonymous visitors solve (CONTRACT: Widget settings). */
@Injectable()
export class CaptchaService {
  private readonly logger = new Logger(CaptchaService.name);
  private readonly sealKeys: Keys;
  /** Any visitor can cause these lines. */
  private readonly lines = new LogSampler((omitted) =>
    this.logger.error({ omitted }, 'could not decrypt further captcha secrets'),
  );

  constructor(
    private readonly manager: EntityManager,
    private readonly addresses: AddressGuard,
    private readonly verifier: CaptchaVerifier,
    private readonly events: DomainEventBus,
    config: Config,
  ) {
    this.sealKeys = deriveKeys(config, 'captcha secrets');
  }

  /** Null: the organization has none. @throws Problem not_found */
  async get(organizationId: string): Promise<Captcha | null> {
    return ((await findCaptcha(this.manager, organizationId)) ?? notFound('Organization')).captcha;
  }

  /** @throws Problem not_found; precondition_failed; validation_failed for an address that the service must not reach */
  async set(organizationId: string, captcha: Captcha, secret: string, hooks: CaptchaHooks): Promise<Captcha> {
    const fault = captcha.verifyUrl === null ? null : this.addresses.findFault(new URL(captcha.verifyUrl));
    if (fault) throw invalid('/verifyUrl', fault);
    await this.store(organizationId, captcha, secret, hooks);
    return captcha;
  }

  /** @throws Problem not_found; precondition_failed */
  remove(organizationId: string, hooks: CaptchaHooks): Promise<void> {
    return this.store(organizationId, null, null, hooks);
  }

  /**
   * Checks what a new visitor solved. Call it outside of the queue for the database: the provider may be slow.
   * @param response what the provider's script gave the page
   * @throws Problem captcha_required without a response that the provider accepts; unavailable if the provider doesn't answer
   */
  async check(organizationId: string, response: string | undefined): Promise<void> {
    const row = await findCaptcha(this.manager, organizationId);
    if (!row?.captcha || !row.sealed) return;
    const { provider, verifyUrl } = row.captcha;
    if (response === undefined)
      throw new Problem(
        'captcha_required',
        'A new visitor has to solve a captcha first; send its response as visitor.captcha',
      );
    const secret = this.open(organizationId, row.sealed);
    if (!(await this.verifier.verify(organizationId, verifyUrl ?? VERIFY_URLS[provider], secret, response)))
      throw new Problem('captcha_required', 'The captcha was not accepted; let the visitor solve another one');
  }

  private open(organizationId: string, sealed: Buffer): string {
    try {
      return unseal(this.sealKeys, organizationId, sealed);
    } catch (err) {
      if (this.lines.admits(organizationId))
        this.logger.error({ err, organizationId }, "could not decrypt an organization's captcha secret; set it again");
      throw unavailable('The captcha cannot be checked right now');
    }
  }

  private isSecret(organizationId: string, sealed: Buffer, secret: string): boolean {
    try {
      return unseal(this.sealKeys, organizationId, sealed) === secret;
    } catch {
      return false;
    }
  }

  private async store(
    organizationId: string,
    captcha: Captcha | null,
    secret: string | null,
    { precondition, record }: CaptchaHooks,
  ): Promise<void> {
    const sealed = secret === null ? null : seal(this.sealKeys, organizationId, secret);
    await transaction(this.manager, async (tx) => {
      const before = (await findCaptcha(tx, organizationId, true)) ?? notFound('Organization');
      precondition?.check(versionedCaptcha(before));
      await storeCaptcha(tx, organizationId, captcha, sealed);
      const hasNewSecret =
        secret !== null && before.sealed !== null && !this.isSecret(organizationId, before.sealed, secret);
      await record(tx, before.name, { before: before.captcha, after: captcha, hasNewSecret });
      this.events.emit('organization.widgetChanged', { organizationId }, tx);
    });
  }
}
