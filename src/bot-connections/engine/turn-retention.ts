import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { Config } from '../../platform/config/config.js';
import { ExpiredRows } from '../../platform/database/expired-rows.js';
import { POOL } from '../../platform/database/pool.js';

const HOUR_MS = 60 * 60 * 1000;
/** How long turns are kept, with their runs. */
const MAX_AGE_MS = 30 * 24 * HOUR_MS;

/** Removes old turns. */
@Injectable()
export class TurnRetention extends ExpiredRows {
  constructor(@Inject(POOL) pool: Pool, config: Config) {
    super(pool, config, [{ table: 'bot_turns', column: 'created_at', age: MAX_AGE_MS }], HOUR_MS);
  }
}
