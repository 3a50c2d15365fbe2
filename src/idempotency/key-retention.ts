import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { Config } from '../platform/config/config.js';
import { ExpiredRows } from '../platform/database/expired-rows.js';
import { POOL } from '../platform/database/pool.js';
import { KEY_LIFETIME_MS } from './idempotency.js';

const TEN_MINUTES_MS = 10 * 60 * 1000;

/** Removes expired idempotency keys. An expired key is free even before it's removed. */
@Injectable()
export class KeyRetention extends ExpiredRows {
  constructor(@Inject(POOL) pool: Pool, config: Config) {
    super(pool, config, [{ table: 'idempotency_keys', column: 'created_at', age: KEY_LIFETIME_MS }], TEN_MINUTES_MS);
  }
}
