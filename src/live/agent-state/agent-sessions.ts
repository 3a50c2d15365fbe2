import { Injectable } from '@nestjs/common';
import { PresenceService } from '../../agents/presence.service.js';
import { AgentSessionsService } from '../../auth/agents/agent-sessions.service.js';
import type { AgentSessionEnded } from '../../auth/context/auth.events.js';
import { AgentFeed, type AgentSocket } from './agent-feed.js';

/** The most sockets of one statement. */
const BATCH = 5_000;

/** The sessions of agents' sockets: what ends a session ends its sockets, and its presence at once. */
@Injectable()
export class AgentSessions {
  constructor(
    private readonly sessions: AgentSessionsService,
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

  /** Ends a socket that has connected, when its session ended during the handshake. Returns whether its session lives. */
  async check({ data }: AgentSocket): Promise<boolean> {
    const { organizationId, agentId, sessionId } = data.agent;
    const [reason = null] = await this.sessions.findEnded([data.agent]);
    if (reason !== null) await this.end({ organizationId, agentId, sessionIds: [sessionId], reason }, true);
    return reason === null;
  }

  /** Ends the sockets whose session ended without a hint; the sessions of the others are in use. */
  async compare(): Promise<void> {
    const agents = this.feed.sockets().map(({ data }) => data.agent);
    for (let from = 0; from < agents.length; from += BATCH) {
      const part = agents.slice(from, from + BATCH);
      const reasons = await this.sessions.findEnded(part);
      for (const [place, { organizationId, agentId, sessionId }] of part.entries()) {
        const reason = reasons[place] ?? null;
        if (reason !== null) await this.end({ organizationId, agentId, sessionIds: [sessionId], reason }, true);
      }
    }
  }
}
