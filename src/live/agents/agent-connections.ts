import { Injectable, Logger } from '@nestjs/common';
import type { Connection } from '../../agents/presence.queries.js';
import { PresenceService } from '../../agents/presence.service.js';
import { AgentChats } from '../agent-state/agent-chats.js';
import { AgentFeed, type AgentSocket } from '../agent-state/agent-feed.js';
import { AgentFollows } from './agent-follows.js';
import { AgentHeartbeat } from '../agent-state/agent-heartbeat.js';
import { AgentPeople } from '../agent-state/agent-people.js';
import { AgentReach } from '../agent-state/agent-reach.js';
import { AgentSessions } from '../agent-state/agent-sessions.js';
import { AgentViews } from '../agent-state/agent-views.js';

/** What happens when a socket of an agent connects and when it disconnects. */
@Injectable()
export class AgentConnections {
  private readonly logger = new Logger(AgentConnections.name);

  constructor(
    private readonly feed: AgentFeed,
    private readonly people: AgentPeople,
    private readonly chats: AgentChats,
    private readonly follows: AgentFollows,
    private readonly views: AgentViews,
    private readonly reach: AgentReach,
    private readonly heartbeat: AgentHeartbeat,
    private readonly sessions: AgentSessions,
    private readonly presence: PresenceService,
  ) {}

  /** Lets an authenticated socket in: its agent is connected from then on. @throws Problem unauthorized, unavailable */
  async admit(socket: AgentSocket): Promise<void> {
    try {
      await this.people.load(socket.data.agent, socket.id);
      await this.presence.connect(toConnection(socket));
    } catch (error) {
      this.people.settle(socket.data.agent, socket.id);
      throw error;
    }
    // The client may have gone meanwhile; then the socket never connects, and never disconnects.
    const { conn } = socket;
    if (conn.readyState === 'open') conn.once('close', () => this.end(socket));
    else this.end(socket);
  }

  /** Lets a connected socket get what concerns its agent. It is closed when that is impossible, so that it comes again. */
  async enter(socket: AgentSocket): Promise<void> {
    try {
      const { agent } = socket.data;
      this.heartbeat.watch(socket);
      // From now on what ends a session finds this socket.
      if (!(await this.sessions.check(socket)) || !socket.connected) return;
      this.reach.enter(agent.organizationId);
      const hasJoined = this.feed.join(socket);
      this.people.settle(agent, socket.id);
      await hasJoined;
      await this.follows.own(socket, await this.chats.load(agent));
      // What happened before now was not sent to this socket.
      this.feed.sendStale([socket]);
    } catch (err) {
      this.logger.warn({ err }, 'a socket of an agent was closed: its chats could not be read');
      socket.disconnect(true);
    }
  }

  /** To be called when a socket has disconnected. */
  leave(socket: AgentSocket): void {
    this.views.watch(socket, null);
    this.follows.leave(socket);
    this.end(socket);
  }

  private end(socket: AgentSocket): void {
    this.people.settle(socket.data.agent, socket.id);
    this.presence.disconnect(toConnection(socket)).catch((err: unknown) => {
      this.logger.warn({ err }, 'the end of an agent’s connection was not written');
    });
  }
}

function toConnection({ id, data: { agent } }: AgentSocket): Connection {
  return { organizationId: agent.organizationId, agentId: agent.agentId, sessionId: agent.sessionId, id };
}
