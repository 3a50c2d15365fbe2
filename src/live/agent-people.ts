import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { PauseReason } from '../agents/agents.events.js';
import type { AgentKey, AgentPresence } from '../agents/presence.queries.js';
import { unauthorized } from '../platform/http/bearer.js';
import { ThisNode } from '../platform/cluster/this-node.js';
import { POOL } from '../platform/database/pool.js';
import { findPeople, findPerson, type PersonRow } from './agent-chats.queries.js';
import { AgentFeed } from './agent-feed.js';
import type { Rights } from './watched-view.js';

type Person = Rights &
  Omit<AgentPresence, 'agentId'> & {
    /** When colleagues were told last, on the clock of `performance.now()`. */
    shownAt?: number;
  };
type RightsListener = (organizationId: string, before: Rights, after: Rights) => void;

/**
 * The agents of the organizations that have sockets here: what they may see, and the presence that their colleagues were
 * told. A comparison with the database at intervals finds what no node announced.
 */
@Injectable()
export class AgentPeople {
  private readonly byOrganization = new Map<string, Map<string, Person>>();
  private readonly listeners: RightsListener[] = [];

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly feed: AgentFeed,
    private readonly node: ThisNode,
  ) {
    feed.onOrganizationLeft((organizationId) => this.byOrganization.delete(organizationId));
  }

  /** Calls the listener with each agent who may see other chats than before. */
  onRightsChanged(listener: RightsListener): void {
    this.listeners.push(listener);
  }

  /** Reads an agent who connects, and with the first one all of the organization. @throws Problem unauthorized for one who is gone */
  async load(agent: AgentKey): Promise<void> {
    const { organizationId } = agent;
    if (!this.byOrganization.has(organizationId)) this.put(await findPeople(this.pool, [organizationId]));
    else this.put([(await findPerson(this.pool, agent)) ?? gone()]);
    if (!this.rightsOf(agent)) gone();
  }

  /** What an agent may see; undefined for one who is not known. */
  rightsOf({ organizationId, agentId }: AgentKey): Rights | undefined {
    return this.byOrganization.get(organizationId)?.get(agentId);
  }

  /** Tells colleagues the presence of an agent, when it is another than they were told. */
  show(organizationId: string, presence: AgentPresence & { reason?: PauseReason }): void {
    const people = this.byOrganization.get(organizationId);
    if (!people) return;
    const { agentId, ...state } = presence;
    const person = people.get(agentId);
    if (person && isSame(person, state)) return;
    const { presence: shown, isAccepting } = state;
    if (person) Object.assign(person, { presence: shown, isAccepting, shownAt: performance.now() });
    this.feed.sendPresence(organizationId, presence);
  }

  /** Compares with the database, and tells what changed. */
  async compare(): Promise<void> {
    const isSettled = await this.node.isSettled();
    const organizationIds = [...this.byOrganization.keys()];
    const readAt = performance.now();
    const rows = await findPeople(this.pool, organizationIds);
    const found = new Set(rows.map(({ agentId }) => agentId));
    for (const organizationId of organizationIds) this.removeOthers(organizationId, found);
    for (const row of rows) this.replace(this.keepShown(row, readAt, isSettled));
  }

  // What colleagues were told while the rows were read is newer than the row, and absence may be that of the database.
  private keepShown(row: PersonRow, readAt: number, isSettled: boolean): PersonRow {
    const person = this.byOrganization.get(row.organizationId)?.get(row.agentId);
    const isNewer = (person?.shownAt ?? -Infinity) >= readAt;
    const isInDoubt = row.presence === 'OFFLINE' && !isSettled;
    if (!person || !(isNewer || isInDoubt)) return row;
    return { ...row, presence: person.presence, isAccepting: person.isAccepting };
  }

  /** Reads an agent again whose role or groups may have changed. Does nothing for an organization without sockets here. */
  async reload(agent: AgentKey): Promise<void> {
    const row = this.byOrganization.has(agent.organizationId) && (await findPerson(this.pool, agent));
    if (row) this.replace(row);
  }

  private replace(row: PersonRow): void {
    if (!this.byOrganization.has(row.organizationId)) return;
    const { organizationId, agentId, presence, isAccepting } = row;
    const before = this.byOrganization.get(organizationId)?.get(agentId);
    // An agent who was made and came online between two looks is new to the colleagues too.
    if (before || presence !== 'OFFLINE') this.show(organizationId, { agentId, presence, isAccepting });
    this.put([row]);
    if (before && !hasSameRights(before, row)) this.announceRights(organizationId, before, row);
  }

  private removeOthers(organizationId: string, found: ReadonlySet<string>): void {
    for (const { agentId, isAccepting } of this.byOrganization.get(organizationId)?.values() ?? []) {
      if (found.has(agentId)) continue;
      this.show(organizationId, { agentId, isAccepting, presence: 'OFFLINE' });
      this.byOrganization.get(organizationId)?.delete(agentId);
    }
  }

  private announceRights(organizationId: string, before: Rights, row: PersonRow): void {
    const after = this.rightsOf({ organizationId, agentId: row.agentId });
    if (after) for (const listener of this.listeners) listener(organizationId, before, after);
  }

  private put(rows: readonly PersonRow[]): void {
    for (const { organizationId, groupIds, ...person } of rows) {
      const people = this.byOrganization.get(organizationId) ?? new Map<string, Person>();
      this.byOrganization.set(organizationId, people.set(person.agentId, { ...person, groupIds: new Set(groupIds) }));
    }
  }
}

function gone(): never {
  throw unauthorized('The agent is disabled or gone');
}

function isSame(one: Omit<AgentPresence, 'agentId'>, other: Omit<AgentPresence, 'agentId'>): boolean {
  return one.presence === other.presence && one.isAccepting === other.isAccepting;
}

function hasSameRights(before: Rights, { role, groupIds }: PersonRow): boolean {
  return (
    before.role === role &&
    before.groupIds.size === groupIds.length &&
    groupIds.every((groupId) => before.groupIds.has(groupId))
  );
}
