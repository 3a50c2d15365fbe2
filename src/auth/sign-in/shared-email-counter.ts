import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../../platform/database/pool.js';
import { countShared } from './candidates.queries.js';

/** How long a count is used, in milliseconds: it reads all agents of the installation. */
const MAX_AGE_MS = 60_000;

/** How many agents have one email address in common. */
@Injectable()
export class SharedEmailCounter {
  private most = 0;
  private countedAt = -Infinity;

  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /**
   * The most agents of this installation that have one email address in common and a password, as of the last minute.
   * @param known as many have one, as the caller has just seen
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
