import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../../platform/database/pool.js';
import { countShared } from './candidates.queries.js';

/** How long a count is used, in milliseconds: it reads all agents of the installation. */
const MAX_AGE_MS = 60_000;

/** Counts the agents who share an email address. */
@Injectable()
export class SharedEmailCounter {
  private most = 0;
  private countedAt = -Infinity;

  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /**
   * The most agents of this installation who share an email address and have a password. At most a minute old.
   * @param known the number that the caller has just found for one address
   */
  async count(known: number): Promise<number> {
    if (performance.now() - this.countedAt > MAX_AGE_MS) {
      this.most = await countShared(this.pool);
      this.countedAt = performance.now();
    }
    this.most = Math.max(this.most, known);
    return this.most;
  }
}
