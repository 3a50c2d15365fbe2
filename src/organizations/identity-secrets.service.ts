import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, type Repository } from 'typeorm';
import { Config } from '../platform/config/config.js';
import { transaction } from '../platform/database/transaction.js';
import { notFound, Problem } from '../platform/errors/problem.js';
import { deriveKeys, type Keys, randomText, seal, unseal } from '../platform/lib/secrets.js';
import { LogSampler } from '../platform/telemetry/log-sampler.js';
import { Organization } from './organization.entity.js';

/** How long the former secret is valid after a rotation, as long as a webhook's. */
const ROTATION_OVERLAP_MS = 24 * 60 * 60 * 1000;

export interface RotatedIdentitySecret {
  identitySecret: string;
  /** Until when the former secret is valid. */
  previousExpiresAt: Date;
}

/** The secrets that organizations sign identities with (CONTRACT: Visitors). */
@Injectable()
export class IdentitySecretsService {
  private readonly logger = new Logger(IdentitySecretsService.name);
  /** Any visitor can cause these lines. */
  private readonly lines = new LogSampler((omitted) =>
    this.logger.error({ omitted }, 'could not decrypt further identity secrets'),
  );
  private readonly sealKeys: Keys;

  constructor(
    @InjectRepository(Organization) private readonly organizations: Repository<Organization>,
    config: Config,
  ) {
    this.sealKeys = deriveKeys(config, 'identity secrets');
  }

  /** Creates a secret: its text, which is shown once, and its sealed form, which is stored. */
  make(organizationId: string): { identitySecret: string; sealed: Buffer } {
    const identitySecret = `prl_ids_${randomText(40)}`;
    return { identitySecret, sealed: seal(this.sealKeys, organizationId, identitySecret) };
  }

  /**
   * The secrets that the customer's server may sign identities with, the newest first; at most two.
   * @throws Problem not_found; unauthorized if none can be decrypted, so that no identity is accepted and no client retries
   */
  async list(id: string): Promise<[string, ...string[]]> {
    const select = {
      id: true,
      identitySecret: true,
      previousIdentitySecret: true,
      previousIdentitySecretExpiresAt: true,
    };
    const row = await this.organizations.findOne({ where: { id, deletedAt: IsNull() }, select });
    const {
      identitySecret,
      previousIdentitySecret: previous,
      previousIdentitySecretExpiresAt: end,
    } = row ?? notFound('Organization');
    const [first, ...others] = [identitySecret, end !== null && end > new Date() ? previous : null].flatMap((sealed) =>
      sealed ? this.open(id, sealed) : [],
    );
    if (first !== undefined) return [first, ...others];
    throw new Problem(
      'unauthorized',
      'The identity cannot be checked: the service cannot decrypt the identity secret of the organization',
    );
  }

  /**
   * Creates a new secret; identities that the former one signed are valid for 24 h more. @param alongside work in the same transaction
   * @throws Problem not_found
   */
  async rotate(
    id: string,
    alongside: (tx: EntityManager, organization: Organization) => Promise<void>,
  ): Promise<RotatedIdentitySecret> {
    const { identitySecret, sealed } = this.make(id);
    const previousExpiresAt = new Date(Date.now() + ROTATION_OVERLAP_MS);
    const change = {
      identitySecret: sealed,
      previousIdentitySecret: () => 'identity_secret',
      previousIdentitySecretExpiresAt: previousExpiresAt,
    };
    await transaction(this.organizations.manager, async (tx) => {
      const lock = { mode: 'for_no_key_update' } as const;
      const row = await tx.findOne(Organization, { where: { id, deletedAt: IsNull() }, lock });
      await tx.update(Organization, { id }, change);
      await alongside(tx, row ?? notFound('Organization'));
    });
    return { identitySecret, previousExpiresAt };
  }

  private open(organizationId: string, sealed: Buffer): string[] {
    try {
      return [unseal(this.sealKeys, organizationId, sealed)];
    } catch (err) {
      if (this.lines.admits(organizationId))
        this.logger.error({ err, organizationId }, "could not decrypt an organization's identity secret");
      return [];
    }
  }
}
