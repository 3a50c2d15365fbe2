import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../../platform/database/pool.js';
import { type FoundSession, recordSessionUses, type SessionUse } from './agent-sessions.queries.js';
import { LastUsedRecorder } from '../context/last-used-recorder.js';

/** A use is stored if the stored time is older than this, in milliseconds. */
const PRECISION_MS = 60_000;

/** Records when agents' sessions were last used, to the minute. */
@Injectable()
export class SessionLastUsedRecorder extends LastUsedRecorder<SessionUse> {
  constructor(@Inject(POOL) private readonly pool: Pool) {
    super();
  }

  record({ organizationId, sessionId, lastUsedAt }: FoundSession, at: Date): void {
    if (at.getTime() - lastUsedAt.getTime() >= PRECISION_MS) this.add(sessionId, { organizationId, sessionId, at });
  }

  protected write(uses: SessionUse[]): Promise<void> {
    return recordSessionUses(this.pool, uses);
  }
}
