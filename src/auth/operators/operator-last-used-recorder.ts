import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../../platform/database/pool.js';
import { LastUsedRecorder } from '../context/last-used-recorder.js';
import { type OperatorUse, recordOperatorUses } from './operators.queries.js';

/** Records when operators' tokens were used. */
@Injectable()
export class OperatorLastUsedRecorder extends LastUsedRecorder<OperatorUse> {
  constructor(@Inject(POOL) private readonly pool: Pool) {
    super();
  }

  record(id: string, at: Date): void {
    this.add(id, { id, at });
  }

  protected write(uses: OperatorUse[]): Promise<void> {
    return recordOperatorUses(this.pool, uses);
  }
}
