import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { AgentChanged } from '../../agents/agents.events.js';
import type { AgentKey, AgentPresence } from '../../agents/presence.queries.js';
import { unauthorized } from '../../platform/http/requests/bearer.js';
import { ThisNode } from '../../platform/cluster/this-node.js';
import { POOL } from '../../platform/database/pool.js';
import { findAgents, findAgent, type AgentRow } from './agent-chats.queries.js';
import { AgentFeed } from './agent-feed.js';
import { AgentPresences } from './agent-presences.js';
import { maySee, type Rights } from '../../chats/model/chat-rights.js';
import { type TrackedChat, intersectRights } from './watched-view.js';

type KnownAgent = Rights &
  Omit<AgentPresence, 'agentId'> & {
    /** When the presence was last sent to colleagues, in milliseconds of `performance.now()`. */
    shownAt?: number;
    /** The rights are at least as new as this time, by the same clock. */
    rightsAt: number;
  };
type RightsListener = (organizationId: string, before: Rights, after: Rights) => void;

const NO_RIGHTS = { role: 'AGENT', groupIds: [] } as const;

/**
 * The permissions of all agents whose organization has sockets on this node, and the presence that was last sent to their
 * colleagues. `reconcile` finds changes that no node announced.
 */
@Injectable()
export class AgentPermissions {
  private readonly byOrganization = new Map<string, Map<string, KnownAgent>>();
  private readonly listeners: RightsListener[] = [];
  /** By organization, the sockets that were admitted but have not joined its room yet. */
  private readonly joining = new Map<string, Set<string>>();

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly feed: AgentFeed,
    private readonly presences: AgentPresences,
    private readonly node: ThisNode,
  ) {
    feed.onOrganizationLeft((organizationId) => this.forgetUnused(organizationId));
  }

  /** Calls the listener with each agent whose rights changed. */
  onRightsChanged(listener: RightsListener): void {
    this.listeners.push(listener);
  }

  /**
   * Reads a socket's agent, and with an organization's first socket all of its agents. They are kept while the organization has
   * sockets here, and at least until `release`. @throws Problem unauthorized if the agent was removed or disabled
   */
  async load(agent: AgentKey, socketId: string): Promise<void> {
    const { organizationId } = agent;
    this.joining.set(organizationId, (this.joining.get(organizationId) ?? new Set()).add(socketId));
    const readAt = performance.now();
    if (!this.byOrganization.has(organizationId)) this.put(await findAgents(this.pool, [organizationId]), readAt);
    else this.replace((await findAgent(this.pool, agent)) ?? refuse(), readAt);
    if (!this.rightsOf(agent)) refuse();
  }

  /** Releases what `load` holds: the socket has joined its organization's room, or never will. */
  release({ organizationId }: AgentKey, socketId: string): void {
    const sockets = this.joining.get(organizationId);
    if (!sockets?.delete(socketId) || sockets.size > 0) return;
    this.joining.delete(organizationId);
    this.forgetUnused(organizationId);
  }

  private forgetUnused(organizationId: string): void {
    if (!this.joining.has(organizationId) && !this.feed.hasOrganization(organizationId))
      this.byOrganization.delete(organizationId);
  }

  /** An agent's rights; undefined for an unknown agent. */
  rightsOf({ organizationId, agentId }: AgentKey): Rights | undefined {
    return this.byOrganization.get(organizationId)?.get(agentId);
  }

  /** Whether an agent may see a chat. Reloads the agent before it answers no. */
  async maySee(agent: AgentKey, chat: TrackedChat): Promise<boolean> {
    const isSeen = () => {
      const rights = this.rightsOf(agent);
      return rights !== undefined && maySee(rights, chat);
    };
    if (isSeen()) return true;
    await this.reload(agent, performance.now());
    return isSeen();
  }

  /** Sends colleagues an agent's presence, if it differs from what was last sent. */
  showPresence(organizationId: string, presence: AgentPresence): void {
    const agents = this.byOrganization.get(organizationId);
    if (!agents) return;
    const { agentId, ...state } = presence;
    const known = agents.get(agentId);
    if (known && isSame(known, state)) return;
    if (known) Object.assign(known, state, { shownAt: performance.now() });
    this.presences.send(organizationId, presence);
  }

  /** Compares all agents with the database, and applies what changed. */
  async reconcile(): Promise<void> {
    const isSettled = await this.node.isSettled();
    const organizationIds = [...this.byOrganization.keys()];
    const readAt = performance.now();
    const failures = new Map<number, Error>();
    const rows = await findAgents(this.pool, organizationIds, failures);
    const found = new Set(rows.map(({ agentId }) => agentId));
    for (const [place, organizationId] of organizationIds.entries())
      if (!failures.has(place)) this.removeMissing(organizationId, found, readAt);
    for (const row of rows) this.replace(this.keepShown(row, readAt, isSettled), readAt);
  }

  // A presence that was sent while the rows were read is newer than they are. Absence may be the database's own.
  private keepShown(row: AgentRow, readAt: number, isSettled: boolean): AgentRow {
    const known = this.byOrganization.get(row.organizationId)?.get(row.agentId);
    const isNewer = (known?.shownAt ?? -Infinity) >= readAt;
    const isInDoubt = row.presence === 'OFFLINE' && !isSettled;
    if (!known || !(isNewer || isInDoubt)) return row;
    const { presence, isAccepting, reason } = known;
    return { ...row, presence, isAccepting, reason };
  }

  /**
   * Revokes immediately what a change took from an agent's rights, then reloads the agent, because a later change may have
   * been committed. Does nothing for an organization without sockets here.
   */
  async applyChange({ organizationId, agentId, rights }: AgentChanged): Promise<void> {
    if (!this.byOrganization.has(organizationId)) return;
    const before = this.byOrganization.get(organizationId)?.get(agentId);
    const readAt = performance.now();
    if (before) this.setRights(organizationId, before, intersectRights(before, rights ?? NO_RIGHTS), readAt);
    await this.reload({ organizationId, agentId }, readAt);
  }

  private async reload(agent: AgentKey, readAt: number): Promise<void> {
    const row = await findAgent(this.pool, agent);
    if (row) this.replace(row, readAt);
    else this.remove(agent.organizationId, agent.agentId);
  }

  private setRights(organizationId: string, known: KnownAgent, after: Rights, rightsAt: number): void {
    const { agentId, role, groupIds } = known;
    Object.assign(known, after, { rightsAt });
    const before = { agentId, role, groupIds };
    if (!hasSameRights(before, after)) for (const listener of this.listeners) listener(organizationId, before, after);
  }

  private replace(row: AgentRow, readAt: number): void {
    if (!this.byOrganization.has(row.organizationId)) return;
    const { organizationId, agentId, presence, isAccepting, reason } = row;
    const before = this.byOrganization.get(organizationId)?.get(agentId);
    // An agent who was created and came online since the last run is new to colleagues too.
    if (before || presence !== 'OFFLINE') this.showPresence(organizationId, { agentId, presence, isAccepting, reason });
    if (!before) this.put([row], readAt);
    else if (before.rightsAt <= readAt)
      this.setRights(organizationId, before, { agentId, role: row.role, groupIds: new Set(row.groupIds) }, readAt);
  }

  private removeMissing(organizationId: string, found: ReadonlySet<string>, readAt: number): void {
    for (const { agentId, rightsAt } of this.byOrganization.get(organizationId)?.values() ?? []) {
      if (!found.has(agentId) && rightsAt <= readAt) this.remove(organizationId, agentId);
    }
  }

  private remove(organizationId: string, agentId: string): void {
    const agents = this.byOrganization.get(organizationId);
    const known = agents?.get(agentId);
    if (!known) return;
    this.showPresence(organizationId, { agentId, isAccepting: known.isAccepting, presence: 'OFFLINE', reason: null });
    agents!.delete(agentId);
  }

  // Rights that were narrowed after the rows were read are newer than they are.
  private put(rows: readonly AgentRow[], readAt: number): void {
    for (const { organizationId, groupIds, ...row } of rows) {
      const agents = this.byOrganization.get(organizationId) ?? new Map<string, KnownAgent>();
      const agent = { ...row, groupIds: new Set(groupIds), rightsAt: readAt };
      const known = agents.get(row.agentId);
      if (known && known.rightsAt > readAt) {
        Object.assign(agent, { role: known.role, groupIds: known.groupIds, rightsAt: known.rightsAt });
      }
      this.byOrganization.set(organizationId, agents.set(row.agentId, agent));
    }
  }
}

function refuse(): never {
  throw unauthorized('The agent is disabled or was removed');
}

function isSame(one: Omit<AgentPresence, 'agentId'>, other: Omit<AgentPresence, 'agentId'>): boolean {
  return one.presence === other.presence && one.isAccepting === other.isAccepting && one.reason === other.reason;
}

function hasSameRights(one: Rights, other: Rights): boolean {
  return (
    one.role === other.role &&
    one.groupIds.size === other.groupIds.size &&
    [...one.groupIds].every((groupId) => other.groupIds.has(groupId))
  );
}
