import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { AgentKey } from '../../agents/presence.queries.js';
import { isOpen } from '../../chats/model/chat-status.js';
import { POOL } from '../../platform/database/pool.js';
import { findPlaces } from './agent-chats.queries.js';
import { AgentFeed } from './agent-feed.js';
import { AgentViews } from './agent-views.js';
import type { ChatPlace } from './watched-view.js';

/**
 * The chats whose rows agents of this node may be sent: those that wait, and the open ones that an agent has or watches, and
 * those that are followed. From the place before a change follows to whom a chat was shown, so that one that leaves comes once
 * more. What no agent of this node may be sent is forgotten, a part of it with the comparison.
 */
@Injectable()
export class AgentChats {
  private readonly places = new Map<string, ChatPlace>();
  private readonly idsOf = new Map<string, Set<string>>();
  /** The organizations whose waiting chats are known. */
  private readonly loaded = new Set<string>();

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly feed: AgentFeed,
    private readonly views: AgentViews,
  ) {
    feed.onOrganizationLeft((organizationId) => this.forgetAll(organizationId));
    feed.onEmptied((chatId) => this.forgetUnneeded(this.places.get(chatId)));
  }

  /** Reads the chats of an agent who connects, and with the first one those that wait. Returns the agent's own. */
  async load(agent: AgentKey): Promise<ChatPlace[]> {
    const { organizationId, agentId } = agent;
    const organizationIds = this.loaded.has(organizationId) ? [] : [organizationId];
    const places = await findPlaces(this.pool, { organizationIds, agents: [agent], chats: [] });
    if (!this.feed.hasOrganization(organizationId)) return [];
    this.loaded.add(organizationId);
    for (const place of places) this.learn(place);
    return places.filter((place) => (this.isNews(place) ? place : this.get(place.id)!).agentId === agentId);
  }

  get(chatId: string): ChatPlace | undefined {
    return this.places.get(chatId);
  }

  of(organizationId: string): ChatPlace[] {
    return [...(this.idsOf.get(organizationId) ?? [])].flatMap((id) => this.places.get(id) ?? []);
  }

  /** Remembers a chat that was read, in the place of what was known, unless no agent here may be sent it. */
  keep(place: ChatPlace): void {
    const { organizationId, id } = place;
    if (!this.isNeeded(place)) return this.forget(id);
    this.places.set(id, place);
    this.idsOf.set(organizationId, (this.idsOf.get(organizationId) ?? new Set()).add(id));
  }

  /** Remembers a chat of which no row was sent. What is known already changes with the row alone. */
  learn(place: ChatPlace): void {
    if (!this.places.has(place.id)) this.keep(place);
  }

  forget(chatId: string): void {
    const place = this.places.get(chatId);
    if (!place) return;
    this.places.delete(chatId);
    const ids = this.idsOf.get(place.organizationId);
    ids?.delete(chatId);
    if (ids?.size === 0) this.idsOf.delete(place.organizationId);
  }

  private forgetAll(organizationId: string): void {
    for (const id of this.idsOf.get(organizationId) ?? []) this.places.delete(id);
    this.idsOf.delete(organizationId);
    this.loaded.delete(organizationId);
  }

  private forgetUnneeded(place: ChatPlace | undefined): void {
    if (place && !this.isNeeded(place)) this.forget(place.id);
  }

  private isNeeded({ organizationId, id, status, agentId }: ChatPlace): boolean {
    if (!this.feed.hasOrganization(organizationId)) return false;
    if (this.feed.hasChat(id) || status === 'QUEUED') return true;
    return isOpen(status) && (this.views.wantsMore(organizationId) || this.feed.hasAgent(agentId));
  }

  /** Compares with the database; returns the chats that changed without a hint. */
  async compare(): Promise<{ organizationId: string; id: string }[]> {
    const agents = distinct(this.feed.sockets().map(({ data }) => data.agent));
    for (const place of this.places.values()) this.forgetUnneeded(place);
    const known = [...this.places.values()];
    const organizationIds = [...new Set(agents.map(({ organizationId }) => organizationId))];
    const found = await findPlaces(this.pool, { organizationIds, agents, chats: known });
    const now = new Map(found.map((place) => [place.id, place]));
    const removed = known.filter(({ id }) => !now.has(id));
    return [...found.filter((place) => this.isNews(place)), ...removed];
  }

  // A place that was read before a row was sent is older than what is known, and no news.
  private isNews({ id, rev, messageCount }: ChatPlace): boolean {
    const known = this.places.get(id);
    return !known || rev > known.rev || messageCount > known.messageCount;
  }
}

function distinct(agents: readonly AgentKey[]): AgentKey[] {
  return [...new Map(agents.map((agent) => [agent.agentId, agent])).values()];
}
