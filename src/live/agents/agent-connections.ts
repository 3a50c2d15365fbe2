import { Injectable, Logger } from '@nestjs/common';
import type { Connection } from '../../agents/presence.queries.js';
import { PresenceService } from '../../agents/presence.service.js';
import { AgentChats } from '../agent-state/agent-chats.js';
import { AgentFeed, type AgentSocket } from '../agent-state/agent-feed.js';
import { AgentFollows } from './agent-follows.js';
import { AgentHeartbeat } from '../agent-state/agent-heartbeat.js';
import { AgentPermissions } from '../agent-state/agent-permissions.js';
import { AgentNodes } from '../agent-state/agent-nodes.js';
import { AgentSessions } from '../agent-state/agent-sessions.js';
import { AgentViews } from '../agent-state/agent-views.js';

/** Connects and disconnects agents' sockets. */
@Injectable()
export class AgentConnections {
  private readonly logger = new Logger(AgentConnections.name);

  constructor(
    private readonly feed: AgentFeed,
    private readonly permissions: AgentPermissions,
    private readonly chats: AgentChats,
    private readonly follows: AgentFollows,
    private readonly views: AgentViews,
    private readonly agentNodes: AgentNodes,
    private readonly heartbeat: AgentHeartbeat,
    private readonly sessions: AgentSessions,
    private readonly presence: PresenceService,
  ) {}

  /** Admits an authenticated socket. Its agent counts as connected from now on. @throws Problem unauthorized, unavailable */
  async admit(socket: AgentSocket): Promise<void> {
    try {
      await this.permissions.load(socket.data.agent, socket.id);
      await this.presence.connect(toConnection(socket));
    } catch (error) {
      this.permissions.release(socket.data.agent, socket.id);
      throw error;
    }
    // If the client disconnected during the queries, the socket never connects, and so never disconnects either.
    const { conn } = socket;
    if (conn.readyState === 'open') conn.once('close', () => this.end(socket));
    else this.end(socket);
  }

  /** Adds a connected socket to its rooms. If that fails, the socket is closed, so that the client reconnects. */
  async join(socket: AgentSocket): Promise<void> {
    try {
      const { agent } = socket.data;
      this.heartbeat.watch(socket);
      // From now on, ending the session also ends this socket.
      if (!(await this.sessions.check(socket)) || !socket.connected) return;
      this.agentNodes.add(agent.organizationId);
      const hasJoined = this.feed.join(socket);
      this.permissions.release(agent, socket.id);
      await hasJoined;
      await this.follows.own(socket, await this.chats.load(agent));
      await this.follows.keep(socket);
      // Nothing that happened before now was sent to this socket.
      this.feed.sendStale([socket]);
    } catch (err) {
      this.logger.warn({ err }, 'failed to read the chats of an agent; the socket was closed');
      this.feed.end(socket, 'setup_failed');
    }
  }

  /** Call this when a socket has disconnected. */
  leave(socket: AgentSocket): void {
    this.views.watch(socket, null);
    this.follows.leave(socket);
    this.end(socket);
  }

  private end(socket: AgentSocket): void {
    this.permissions.release(socket.data.agent, socket.id);
    this.presence.disconnect(toConnection(socket)).catch((err: unknown) => {
      this.logger.warn({ err }, 'failed to store that an agent disconnected');
    });
  }
}

function toConnection({ id, data: { agent } }: AgentSocket): Connection {
  return { organizationId: agent.organizationId, agentId: agent.agentId, sessionId: agent.sessionId, id };
}
