import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { Config } from '../config/config.js';
import { storeCheck } from '../database/key/key-check.js';
import { type Resealed, resealBatch } from '../database/key/reseal.queries.js';
import { POOL } from '../database/pool.js';

/** Replaces SECRET_KEY in what's stored (docs/operate/security.md). */
@Injectable()
export class SecretsService {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly config: Config,
  ) {}

  /**
   * Encrypts the secrets of the next organizations with SECRET_KEY. After the last ones, the key is the database's: a start without
   * SECRET_KEY_PREVIOUS works, and one that knows only that key is refused.
   */
  async reseal(after: string, limit: number): Promise<Resealed> {
    const result = await resealBatch(this.pool, this.config, after, limit);
    if (result.last === null)
      await storeCheck(async (text, values) => (await this.pool.query(text, values)).rows as never, this.config);
    return result;
  }
}
