import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { AgentKey } from '../agents/presence.queries.js';
import { POOL } from '../platform/database/pool.js';
import { findPlaces } from './agent-chats.queries.js';
import { AgentFeed } from './agent-feed.js';
import type { ChatPlace } from './watched-view.js';

/**
 * The chats whose rows agents of this node were sent or may hold: those that wait, and those that an agent has, follows or
 * watches. From the place before a change follows to whom a chat was shown, so that one that leaves comes once more.
 */
@Injectable()
export class AgentChats {
  private readonly byOrganization = new Map<string, Map<string, ChatPlace>>();
  /** The organizations whose waiting chats are known. */
  private readonly loaded = new Set<string>();

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly feed: AgentFeed,
  ) {
    feed.onOrganizationLeft((organizationId) => {
      this.byOrganization.delete(organizationId);
      this.loaded.delete(organizationId);
    });
  }

  /** Reads the chats of an agent who connects, and with the first one those that wait. Returns the agent's own. */
  async load(agent: AgentKey): Promise<ChatPlace[]> {
    const { organizationId, agentId } = agent;
    const organizationIds = this.loaded.has(organizationId) ? [] : [organizationId];
    const places = await findPlaces(this.pool, { organizationIds, agents: [agent], chats: [] });
    this.loaded.add(organizationId);
    for (const place of places) this.set(place);
    return places.filter((place) => place.agentId === agentId);
  }

  get(organizationId: string, chatId: string): ChatPlace | undefined {
    return this.byOrganization.get(organizationId)?.get(chatId);
  }

  /** The organization of a chat that is known; undefined for another. */
  organizationOf(chatId: string): string | undefined {
    for (const [organizationId, places] of this.byOrganization) if (places.has(chatId)) return organizationId;
    return undefined;
  }

  of(organizationId: string): ChatPlace[] {
    return [...(this.byOrganization.get(organizationId)?.values() ?? [])];
  }

  set(place: ChatPlace): void {
    const places = this.byOrganization.get(place.organizationId) ?? new Map<string, ChatPlace>();
    this.byOrganization.set(place.organizationId, places.set(place.id, place));
  }

  forget(organizationId: string, chatId: string): void {
    this.byOrganization.get(organizationId)?.delete(chatId);
  }

  /** Compares with the database; returns the chats that changed without a hint. */
  async compare(): Promise<{ organizationId: string; id: string }[]> {
    const agents = distinct(this.feed.sockets().map(({ data }) => data.agent));
    const known = [...this.byOrganization.values()].flatMap((places) => [...places.values()]);
    const organizationIds = [...new Set(agents.map(({ organizationId }) => organizationId))];
    const found = await findPlaces(this.pool, { organizationIds, agents, chats: known });
    const now = new Map(found.map((place) => [place.id, place]));
    const removed = known.filter(({ id }) => !now.has(id));
    return [...found.filter((place) => this.isNews(place)), ...removed];
  }

  // A place that was read before a row was sent is older than what is known, and no news.
  private isNews({ organizationId, id, rev, messageCount }: ChatPlace): boolean {
    const known = this.get(organizationId, id);
    return !known || rev > known.rev || messageCount > known.messageCount;
  }
}

function distinct(agents: readonly AgentKey[]): AgentKey[] {
  return [...new Map(agents.map((agent) => [agent.agentId, agent])).values()];
}
