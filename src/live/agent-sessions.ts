import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { PresenceService } from '../agents/presence.service.js';
import type { AgentSessionEnded } from '../auth/auth.events.js';
import { findEndedAgentSessions, useAgentSessions } from '../auth/open-agent-sessions.queries.js';
import { POOL } from '../platform/database/pool.js';
import { AgentFeed } from './agent-feed.js';

/** The most sockets of one statement. */
const BATCH = 5_000;

/** The sessions of agents' sockets: what ends a session ends its sockets, and its presence at once. */
@Injectable()
export class AgentSessions {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly feed: AgentFeed,
    private readonly presence: PresenceService,
  ) {}

  /** Ends the sockets of sessions on this node. @param isAnnounced whether this node announces it, and ends their presence */
  async end({ organizationId, agentId, sessionIds, reason }: AgentSessionEnded, isAnnounced: boolean): Promise<void> {
    this.feed.endWhere(
      (agent) => agent.agentId === agentId && (sessionIds === null || sessionIds.includes(agent.sessionId)),
      reason,
    );
    if (isAnnounced) await this.presence.endSessions(organizationId, agentId, sessionIds);
  }

  /** Ends the sockets whose session ended without a hint, and records that the others are in use. */
  async compare(): Promise<void> {
    const sockets = this.feed.sockets();
    for (let from = 0; from < sockets.length; from += BATCH) {
      const part = sockets.slice(from, from + BATCH).map(({ data }) => data.agent);
      for (const { place, reason } of await findEndedAgentSessions(this.pool, part)) {
        const { organizationId, agentId, sessionId } = part[place]!;
        await this.end({ organizationId, agentId, sessionIds: [sessionId], reason }, true);
      }
      await useAgentSessions(this.pool, part);
    }
  }
}
