import { Injectable } from '@nestjs/common';
import { AgentFeed, type AgentSocket } from './agent-feed.js';
import { type Watched, watchesMore } from './watched-view.js';

/** The view that each agent's socket watches. */
@Injectable()
export class AgentViews {
  /** By organization, the sockets that watch more than waiting chats and their agent's own. */
  private readonly watchers = new Map<string, Set<string>>();

  constructor(feed: AgentFeed) {
    feed.onOrganizationLeft((organizationId) => this.watchers.delete(organizationId));
  }

  /** Replaces the view of a socket; null ends it. A disconnected socket watches none. */
  watch(socket: AgentSocket, watched: Watched | null): void {
    const { organizationId } = socket.data.agent;
    socket.data.watched = watched;
    const ofOrganization = this.watchers.get(organizationId) ?? new Set<string>();
    if (socket.connected && watchesMore(watched)) this.watchers.set(organizationId, ofOrganization.add(socket.id));
    else ofOrganization.delete(socket.id);
  }

  /** The ids of the sockets that watch more than waiting chats and their agent's own. */
  watchersOf(organizationId: string): ReadonlySet<string> {
    return this.watchers.get(organizationId) ?? new Set();
  }

  /** Whether any chat of the organization may be in a view that a socket of this node watches. */
  wantsMore(organizationId: string): boolean {
    return (this.watchers.get(organizationId)?.size ?? 0) > 0;
  }
}
