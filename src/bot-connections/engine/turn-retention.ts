import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { Config } from '../../platform/config/config.js';
import { ExpiredRows } from '../../platform/database/expired-rows.js';
import { POOL } from '../../platform/database/pool.js';

const HOUR_MS = 60 * 60 * 1000;
/** How long turns are kept, with their runs. */
const MAX_AGE_MS = 30 * 24 * HOUR_MS;
/** How long the usage of a day is kept. */
const MAX_USAGE_AGE_MS = 400 * 24 * HOUR_MS;

/** Removes old turns, and the usage of old days. */
@Injectable()
export class TurnRetention extends ExpiredRows {
  constructor(@Inject(POOL) pool: Pool, config: Config) {
    const expiries = [
      { table: 'bot_turns', column: 'created_at', age: MAX_AGE_MS },
      { table: 'bot_usage', column: 'created_at', age: MAX_USAGE_AGE_MS },
    ];
    super(pool, config, expiries, HOUR_MS);
  }
}
