import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../../platform/database/pool.js';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import '../context/auth.events.js';
import { StorageQuota } from '../limits/storage-quota.js';
import type { VisitorIdentity } from './visitor-auth.service.js';
import { insertEnded } from './visitor-sessions.queries.js';
import { VisitorQueue } from '../limits/visitor-queue.js';

/** The size of an ended token in the database, with its indexes. */
export const ENDED_TOKEN = { messages: 0, bytes: 200 } as const;

/** The tokens of visitors who signed out. `AuthRetention` removes rows of expired tokens, which are refused anyway. */
@Injectable()
export class EndedTokensService {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly events: DomainEventBus,
    private readonly quota: StorageQuota,
    private readonly queue: VisitorQueue,
  ) {}

  /**
   * Ends a token (CONTRACT: Visitors). Every node refuses it when this returns. Its sockets on this node close immediately, on
   * other nodes when the hint arrives, or if that is lost, with the next check of the database (`SessionSweep`). The storage
   * quota counts it but never refuses it, because others at the address may have used the quota up.
   */
  async end(session: VisitorIdentity): Promise<void> {
    const { organizationId, tokenId, limitKey } = session;
    const expiresAt = new Date(session.expiresAt * 1000);
    await this.queue.run(limitKey, () => insertEnded(this.pool, organizationId, tokenId, expiresAt));
    this.quota.record(session, ENDED_TOKEN);
    this.events.emit('token.ended', { organizationId, tokenId });
  }
}
