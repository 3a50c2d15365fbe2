import { Injectable } from '@nestjs/common';
import { PresenceService } from '../../agents/presence.service.js';
import { AgentSessionsService } from '../../auth/agents/agent-sessions.service.js';
import type { AgentSessionEnded } from '../../auth/context/auth.events.js';
import { AgentFeed, type AgentSocket } from './agent-feed.js';

/** The most sockets that one statement checks. */
const BATCH = 5_000;

/** The sessions of agents' sockets. When a session ends, its sockets and its presence end immediately. */
@Injectable()
export class AgentSessions {
  constructor(
    private readonly sessions: AgentSessionsService,
    private readonly feed: AgentFeed,
    private readonly presence: PresenceService,
  ) {}

  /** Ends the sessions' sockets on this node. @param isAnnounced whether this node also ends the sessions' presence */
  async end({ organizationId, agentId, sessionIds, reason }: AgentSessionEnded, isAnnounced: boolean): Promise<void> {
    this.feed.endWhere(
      (agent) => agent.agentId === agentId && (sessionIds === null || sessionIds.includes(agent.sessionId)),
      reason,
    );
    if (isAnnounced) await this.presence.endSessions(organizationId, agentId, sessionIds);
  }

  /** Ends a connected socket whose session ended during the handshake. Returns whether the session still exists. */
  async check({ data }: AgentSocket): Promise<boolean> {
    const { organizationId, agentId, sessionId } = data.agent;
    const [reason = null] = await this.sessions.findEnded([data.agent]);
    if (reason !== null) await this.end({ organizationId, agentId, sessionIds: [sessionId], reason }, true);
    return reason === null;
  }

  /** Ends the sockets whose sessions ended without a hint, and marks the other sessions as used. */
  async reconcile(): Promise<void> {
    const agents = this.feed.sockets().map(({ data }) => data.agent);
    for (let from = 0; from < agents.length; from += BATCH) {
      const part = agents.slice(from, from + BATCH);
      const reasons = await this.sessions.findEnded(part);
      for (const [index, { organizationId, agentId, sessionId }] of part.entries()) {
        const reason = reasons[index] ?? null;
        if (reason !== null) await this.end({ organizationId, agentId, sessionIds: [sessionId], reason }, true);
      }
    }
  }
}
