import { Inject, Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import { Config } from '../config/config.js';
import { judgeKey, READ_CHECK } from '../database/key/key-check.js';
import { Lockout } from '../database/key/lockout.js';
import { POOL } from '../database/pool.js';
import { PeriodicJob } from '../lib/periodic-job.js';

const INTERVAL_MS = 5_000;
const NONE = Buffer.alloc(0);
const REASON = 'The database has another SECRET_KEY than this node';

/** Notices within 5 s that the database was replaced by one of another key, and rejects all work until it's the right one again. */
@Injectable()
export class KeyWatch implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('Database');
  private readonly job = new PeriodicJob(() => this.check(), INTERVAL_MS);
  private checked: Buffer = NONE;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly config: Config,
    private readonly lockout: Lockout,
  ) {}

  onModuleInit(): void {
    this.job.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.job.stop();
  }

  // A database that doesn't answer says nothing about its key.
  private async check(): Promise<void> {
    const result = await this.pool.query<{ sealed: Buffer }>(READ_CHECK).catch(() => null);
    if (!result) return;
    const sealed = result.rows[0]?.sealed ?? NONE;
    if (this.checked.equals(sealed)) return;
    this.checked = sealed;
    this.change(sealed.length > 0 && judgeKey(this.config, sealed) === 'other');
  }

  private change(isOther: boolean): void {
    if (isOther === (this.lockout.reason !== null)) return;
    this.lockout.reason = isOther ? REASON : null;
    if (isOther)
      this.logger.error('the database has another SECRET_KEY than this node, which takes no work until it has its own');
    else this.logger.log('the database has the SECRET_KEY of this node again');
  }
}
