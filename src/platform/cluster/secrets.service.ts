import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { Config } from '../config/config.js';
import { storeCheck } from '../database/key/key-check.js';
import { type Resealed, resealBatch } from '../database/key/reseal.queries.js';
import { Problem } from '../errors/problem.js';
import { Neighbors } from './neighbors.js';
import { POOL } from '../database/pool.js';

/** Replaces SECRET_KEY in what's stored (docs/operate/security.md). */
@Injectable()
export class SecretsService {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly config: Config,
    private readonly neighbors: Neighbors,
  ) {}

  /**
   * Encrypts the secrets of the next organizations with SECRET_KEY. After the last ones, the key is the database's: a start without
   * SECRET_KEY_PREVIOUS works, and one that knows only that key is refused.
   * @throws Problem conflict while a node runs that still encrypts with another key
   */
  async reseal(after: string, limit: number): Promise<Resealed> {
    const other = this.neighbors.others.find(({ usesSameKey }) => !usesSameKey);
    if (other)
      throw new Problem(
        'conflict',
        `Node ${other.id} still encrypts with another SECRET_KEY; restart it with both keys first`,
      );
    const result = await resealBatch(this.pool, this.config, after, limit);
    if (result.last === null)
      await storeCheck(async (text, values) => (await this.pool.query(text, values)).rows as never, this.config);
    return result;
  }
}
