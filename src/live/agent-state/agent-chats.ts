import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { AgentKey } from '../../agents/presence.queries.js';
import { isOpen } from '../../chats/model/chat-status.js';
import { POOL } from '../../platform/database/pool.js';
import { findTrackedChats } from './agent-chats.queries.js';
import { AgentFeed } from './agent-feed.js';
import { AgentViews } from './agent-views.js';
import type { TrackedChat } from './watched-view.js';

/**
 * The chats whose rows agents of this node can receive: waiting chats, open chats that an agent has or watches, and followed
 * chats. The state of a chat before a change says which agents saw it, so that agents who lose it get a last row. Chats that no
 * agent of this node can receive are forgotten, some of them only at the next `reconcile`.
 */
@Injectable()
export class AgentChats {
  private readonly chats = new Map<string, TrackedChat>();
  private readonly idsOf = new Map<string, Set<string>>();
  /** The organizations whose waiting chats were read. */
  private readonly loaded = new Set<string>();

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly feed: AgentFeed,
    private readonly views: AgentViews,
  ) {
    feed.onOrganizationLeft((organizationId) => this.forgetAll(organizationId));
    feed.onEmptied((chatId) => this.forgetUnneeded(this.chats.get(chatId)));
  }

  /** Reads the chats of a connecting agent, and with an organization's first agent its waiting chats. Returns the agent's own. */
  async load(agent: AgentKey): Promise<TrackedChat[]> {
    const { organizationId, agentId } = agent;
    const organizationIds = this.loaded.has(organizationId) ? [] : [organizationId];
    const chats = await findTrackedChats(this.pool, { organizationIds, agents: [agent], chats: [] });
    if (!this.feed.hasOrganization(organizationId)) return [];
    this.loaded.add(organizationId);
    for (const chat of chats) this.add(chat);
    return chats.filter((chat) => (this.isNewer(chat) ? chat : this.get(chat.id)!).agentId === agentId);
  }

  /** Reads chats by id, and tracks them from now on. */
  async read(chats: readonly { organizationId: string; id: string }[]): Promise<TrackedChat[]> {
    const read = await findTrackedChats(this.pool, { organizationIds: [], agents: [], chats });
    for (const chat of read) this.add(chat);
    return read;
  }

  get(chatId: string): TrackedChat | undefined {
    return this.chats.get(chatId);
  }

  of(organizationId: string): TrackedChat[] {
    return [...(this.idsOf.get(organizationId) ?? [])].flatMap((id) => this.chats.get(id) ?? []);
  }

  /** Replaces what is known about a chat, or forgets it if no agent here can receive it. */
  set(chat: TrackedChat): void {
    const { organizationId, id } = chat;
    if (!this.isNeeded(chat)) return this.forget(id);
    this.chats.set(id, chat);
    this.idsOf.set(organizationId, (this.idsOf.get(organizationId) ?? new Set()).add(id));
  }

  /** Adds a chat without sending its row. A known chat changes only together with its row. */
  add(chat: TrackedChat): void {
    if (!this.chats.has(chat.id)) this.set(chat);
  }

  forget(chatId: string): void {
    const chat = this.chats.get(chatId);
    if (!chat) return;
    this.chats.delete(chatId);
    const ids = this.idsOf.get(chat.organizationId);
    ids?.delete(chatId);
    if (ids?.size === 0) this.idsOf.delete(chat.organizationId);
  }

  private forgetAll(organizationId: string): void {
    for (const id of this.idsOf.get(organizationId) ?? []) this.chats.delete(id);
    this.idsOf.delete(organizationId);
    this.loaded.delete(organizationId);
  }

  private forgetUnneeded(chat: TrackedChat | undefined): void {
    if (chat && !this.isNeeded(chat)) this.forget(chat.id);
  }

  private isNeeded({ organizationId, id, status, agentId }: TrackedChat): boolean {
    if (!this.feed.hasOrganization(organizationId)) return false;
    if (this.feed.hasChat(id) || status === 'QUEUED') return true;
    return isOpen(status) && (this.views.wantsMore(organizationId) || this.feed.hasAgent(agentId));
  }

  /** Compares the chats with the database. Returns the chats that changed without a hint. */
  async reconcile(): Promise<{ organizationId: string; id: string }[]> {
    const agents = distinct(this.feed.sockets().map(({ data }) => data.agent));
    for (const chat of this.chats.values()) this.forgetUnneeded(chat);
    const known = [...this.chats.values()];
    const organizationIds = [...new Set(agents.map(({ organizationId }) => organizationId))];
    const failures = new Map<number, Error>();
    const stored = await findTrackedChats(this.pool, { organizationIds, agents, chats: known }, failures);
    const read = new Set(organizationIds.filter((_, place) => !failures.has(place)));
    const current = new Map(stored.map((chat) => [chat.id, chat]));
    const removed = known.filter(({ id, organizationId }) => read.has(organizationId) && !current.has(id));
    return [...stored.filter((chat) => this.isNewer(chat)), ...removed];
  }

  // A chat that was read before its last row was sent is older than what is known.
  private isNewer({ id, rev, messageCount }: TrackedChat): boolean {
    const known = this.chats.get(id);
    return !known || rev > known.rev || messageCount > known.messageCount;
  }
}

function distinct(agents: readonly AgentKey[]): AgentKey[] {
  return [...new Map(agents.map((agent) => [agent.agentId, agent])).values()];
}
