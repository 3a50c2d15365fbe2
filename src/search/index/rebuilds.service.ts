import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../../platform/database/pool.js';
import { beginRebuild, isRebuilding } from './feed.queries.js';

/** Writes the index again, while it's used. */
@Injectable()
export class SearchRebuilds {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** Begins a rebuild, or restarts the current one. It hides nothing from searches. */
  begin(organizationId: string): Promise<void> {
    return beginRebuild(this.pool, organizationId);
  }

  isRunning(organizationId: string): Promise<boolean> {
    return isRebuilding(this.pool, organizationId);
  }
}
