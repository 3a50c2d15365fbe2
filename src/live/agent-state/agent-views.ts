import { Injectable } from '@nestjs/common';
import { AgentFeed, type AgentSocket } from './agent-feed.js';
import { type Watched, watchesMore } from './watched-view.js';

/** The views that sockets of agents watch, one each. */
@Injectable()
export class AgentViews {
  /** By organization, the sockets that watch chats which neither wait nor are their agent's. */
  private readonly watchers = new Map<string, Set<string>>();

  constructor(feed: AgentFeed) {
    feed.onOrganizationLeft((organizationId) => this.watchers.delete(organizationId));
  }

  /** Sets the view of a socket in the place of the one before; null ends it. A socket that has disconnected watches none. */
  watch(socket: AgentSocket, watched: Watched | null): void {
    const { organizationId } = socket.data.agent;
    socket.data.watched = watched;
    const ofOrganization = this.watchers.get(organizationId) ?? new Set<string>();
    if (socket.connected && watchesMore(watched)) this.watchers.set(organizationId, ofOrganization.add(socket.id));
    else ofOrganization.delete(socket.id);
  }

  /** The ids of the sockets that watch chats which neither wait nor are their agent's. */
  watchersOf(organizationId: string): ReadonlySet<string> {
    return this.watchers.get(organizationId) ?? new Set();
  }

  /** Whether a socket of this node may want any chat of the organization. */
  wantsMore(organizationId: string): boolean {
    return (this.watchers.get(organizationId)?.size ?? 0) > 0;
  }
}
