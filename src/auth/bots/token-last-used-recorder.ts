import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../../platform/database/pool.js';
import { type BotIdentity, recordUses, type TokenUse } from './access-tokens.queries.js';
import { LastUsedRecorder } from '../context/last-used-recorder.js';

/** Records when access tokens were used. */
@Injectable()
export class TokenLastUsedRecorder extends LastUsedRecorder<TokenUse> {
  constructor(@Inject(POOL) private readonly pool: Pool) {
    super();
  }

  record({ organizationId, tokenId }: BotIdentity, at: Date): void {
    this.add(tokenId, { organizationId, tokenId, at });
  }

  protected write(uses: TokenUse[]): Promise<void> {
    return recordUses(this.pool, uses);
  }
}
