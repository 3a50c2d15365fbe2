import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { Config } from '../../platform/config/config.js';
import { findOAuthClient, type OAuthClient } from '../../platform/config/oauth-variables.js';
import { POOL } from '../../platform/database/pool.js';
import { PeriodicJob } from '../../platform/lib/periodic-job.js';
import { SealError } from '../../platform/lib/secrets.js';
import {
  type Authorization,
  AUTHORIZE_COMMAND,
  authorizationKey,
  renewed,
  sealAuthorization,
  unsealAuthorization,
} from './authorization.js';
import { GRANT_MS, type Grant, GrantError, grantForApp, grantForRefresh } from './grants.js';
import {
  failRenewal,
  findAuthorization,
  leaseRenewal,
  replaceAuthorization,
  type StoredAuthorization,
} from './mail-authorization.queries.js';

/** How long before its end a token is renewed. */
const EARLY_MS = 5 * 60_000;
/** A token that's about to end isn't used anymore: the sign-in takes a moment. */
const MARGIN_MS = 30_000;
const INTERVAL_MS = 60_000;
/** How long a node has for a renewal: longer than the server may take. */
const LEASE_MS = GRANT_MS + 15_000;
const WAIT_STEP_MS = 200;
const MAX_STORE_TRIES = 10;
const STORE_PAUSE_MS = 1_000;
/** After a refusal, only a person can help, so it's tried rarely. */
const REFUSED_MS = 3_600_000;

/** There's no token for the mail servers. */
export class TokenError extends Error {
  constructor(
    message: string,
    /** Whether a person has to authorize again; otherwise, trying again may help. */
    readonly isRefused: boolean,
  ) {
    super(message);
  }
}

/**
 * The tokens for the mail servers (CONTRACT: E-mail). They're in the database, for all nodes. One node at a time renews them, because an
 * OAuth server may accept a refresh token only once.
 */
@Injectable()
export class MailTokens implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Mail');
  private readonly client: OAuthClient | null;
  private readonly key: string;
  private readonly job = new PeriodicJob(() => this.renewEarly(), INTERVAL_MS, 1 / 4);
  private isFailing = false;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly config: Config,
  ) {
    this.client = findOAuthClient(config);
    this.key = this.client === null ? '' : authorizationKey(this.client);
  }

  onApplicationBootstrap(): void {
    if (this.client !== null && this.config.sendsMail) this.job.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.stop();
  }

  /**
   * A valid access token.
   * @param refused a token that a mail server refused: it's renewed, unless that happened already
   * @throws TokenError if there's none
   */
  async get(refused?: string): Promise<string> {
    const until = Date.now() + LEASE_MS;
    for (;;) {
      const stored = await this.find();
      const tokens = this.open(stored);
      if (tokens.accessToken !== refused && isValid(stored, MARGIN_MS)) return tokens.accessToken;
      const renewal = await this.renew(stored, tokens);
      if (renewal !== null) return renewal.accessToken;
      if (Date.now() > until) throw new TokenError('another node is renewing the token', false);
      await sleep(WAIT_STEP_MS);
    }
  }

  /** Renews the tokens if they end soon. Never throws. */
  async renewEarly(): Promise<void> {
    try {
      const stored = await findAuthorization(this.pool, this.key);
      if (stored !== null && !isValid(stored, EARLY_MS) && stored.mayRenew) await this.renew(stored, this.open(stored));
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing)
        this.logger.warn({ reason: (error as Error).message }, 'failed to renew the token for the mail servers');
      this.isFailing = true;
    }
  }

  private async find(): Promise<StoredAuthorization> {
    const stored = await findAuthorization(this.pool, this.key);
    if (stored === null) throw new TokenError(`the mail servers are not authorized: run ${AUTHORIZE_COMMAND}`, true);
    return stored;
  }

  private open({ sealed }: StoredAuthorization): Authorization {
    try {
      return unsealAuthorization(this.config, this.key, sealed);
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      throw new TokenError(`the tokens can't be decrypted with SECRET_KEY: run ${AUTHORIZE_COMMAND}`, true);
    }
  }

  /** Returns null while another node renews them, or if they were replaced. @throws TokenError */
  private async renew(stored: StoredAuthorization, tokens: Authorization): Promise<Authorization | null> {
    if (!stored.mayRenew) throw refusal(stored.lastError ?? '');
    if (!(await leaseRenewal(this.pool, this.key, stored.sealed, LEASE_MS))) return null;
    const grant = await this.grant(tokens).catch((error: unknown) => this.fail(stored, error));
    const next = renewed(tokens, grant);
    const sealed = sealAuthorization(this.config, this.key, next);
    await this.replace(stored.sealed, sealed, grant.expiresAt);
    return next;
  }

  // The server may have ended the older tokens, so a short outage of the database must not lose the new ones.
  private async replace(before: Buffer, sealed: Buffer, expiresAt: Date): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await replaceAuthorization(this.pool, this.key, before, sealed, expiresAt);
      } catch (error) {
        if (tries >= MAX_STORE_TRIES) throw error;
        await sleep(STORE_PAUSE_MS);
      }
    }
  }

  private grant({ refreshToken }: Authorization): Promise<Grant> {
    return refreshToken === null ? grantForApp(this.client!) : grantForRefresh(this.client!, refreshToken);
  }

  private async fail({ sealed }: StoredAuthorization, error: unknown): Promise<never> {
    const { message, isRefused } = error as GrantError;
    const retryAt = isRefused ? new Date(Date.now() + REFUSED_MS) : null;
    await failRenewal(this.pool, this.key, sealed, message, retryAt);
    throw isRefused ? refusal(message) : new TokenError(message, false);
  }
}

function refusal(reason: string): TokenError {
  return new TokenError(`${reason}; run ${AUTHORIZE_COMMAND}`, true);
}

function isValid({ expiresAt }: StoredAuthorization, margin: number): boolean {
  return expiresAt.getTime() > Date.now() + margin;
}
