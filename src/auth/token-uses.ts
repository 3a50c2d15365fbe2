import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../platform/database/pool.js';
import { type BotIdentity, recordUses, type TokenUse } from './access-tokens.queries.js';

/** The longest delay of `lastUsedAt`, in milliseconds. */
const DELAY = 2_000;

/** Records when tokens were used and writes it in batches, outside of the requests. */
@Injectable()
export class TokenUses implements OnModuleDestroy {
  private readonly logger = new Logger(TokenUses.name);
  private pending = new Map<string, TokenUse>();
  private timer?: NodeJS.Timeout;

  constructor(@Inject(POOL) private readonly pool: Pool) {}

  record({ organizationId, tokenId }: BotIdentity, at: Date): void {
    this.pending.set(tokenId, { organizationId, tokenId, at });
    this.timer ??= setTimeout(() => void this.write(), DELAY).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearTimeout(this.timer);
    await this.write();
  }

  private async write(): Promise<void> {
    const uses = [...this.pending.values()];
    this.pending = new Map();
    this.timer = undefined;
    if (uses.length === 0) return;
    await recordUses(this.pool, uses).catch((err: unknown) => this.logger.warn({ err }, 'lastUsedAt was not written'));
  }
}
