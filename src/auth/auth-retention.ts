import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { Config } from '../platform/config/config.js';
import { ExpiredRows } from '../platform/database/expired-rows.js';
import { POOL } from '../platform/database/pool.js';
import { INSTALLATION_AUDIT_DAYS } from './audit/installation-action.js';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

// One day after they end, because nodes' clocks may differ and no node may remove a token that another still accepts.
const EXPIRIES = [
  { table: 'agent_sessions', column: 'expires_at', age: DAY_MS },
  { table: 'ended_visitor_tokens', column: 'expires_at', age: DAY_MS },
  { table: 'sign_in_links', column: 'expires_at', age: DAY_MS },
  { table: 'sign_in_failures', column: 'window_began_at', age: DAY_MS },
  { table: 'forgiven_failures', column: 'window_began_at', age: DAY_MS },
  { table: 'audit_entries', column: 'at', age: 180 * DAY_MS },
  { table: 'installation_entries', column: 'at', age: INSTALLATION_AUDIT_DAYS * DAY_MS },
];

/** Removes expired sessions, ended tokens, links, and failures, and audit entries after 180 days, or three years (CONTRACT: Signing in). */
@Injectable()
export class AuthRetention extends ExpiredRows {
  constructor(@Inject(POOL) pool: Pool, config: Config) {
    super(pool, config, EXPIRIES, HOUR_MS);
  }
}
