import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { AgentChanged } from '../../agents/agents.events.js';
import type { AgentKey, AgentPresence } from '../../agents/presence.queries.js';
import { unauthorized } from '../../platform/http/requests/bearer.js';
import { ThisNode } from '../../platform/cluster/this-node.js';
import { POOL } from '../../platform/database/pool.js';
import { findPeople, findPerson, type PersonRow } from './agent-chats.queries.js';
import { AgentFeed } from './agent-feed.js';
import { AgentPresences, type ShownPresence } from './agent-presences.js';
import { maySee, type Rights } from '../../chats/model/chat-rights.js';
import { type ChatPlace, narrow } from './watched-view.js';

type Person = Rights &
  Omit<AgentPresence, 'agentId'> & {
    /** When colleagues were told last, on the clock of `performance.now()`. */
    shownAt?: number;
    /** The rights are no older than this, on the same clock. */
    rightsAt: number;
  };
type RightsListener = (organizationId: string, before: Rights, after: Rights) => void;

const NO_RIGHTS = { role: 'AGENT', groupIds: [] } as const;

/**
 * The agents of the organizations that have sockets here: what they may see, and the presence that their colleagues were
 * told. A comparison with the database at intervals finds what no node announced.
 */
@Injectable()
export class AgentPeople {
  private readonly byOrganization = new Map<string, Map<string, Person>>();
  private readonly listeners: RightsListener[] = [];
  /** By organization, the sockets that were let in and have not entered yet. */
  private readonly entering = new Map<string, Set<string>>();

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly feed: AgentFeed,
    private readonly presences: AgentPresences,
    private readonly node: ThisNode,
  ) {
    feed.onOrganizationLeft((organizationId) => this.forgetUnused(organizationId));
  }

  /** Calls the listener with each agent who may see other chats than before. */
  onRightsChanged(listener: RightsListener): void {
    this.listeners.push(listener);
  }

  /**
   * Reads the agent of a socket, and with the first one all of the organization. They are known until the organization has no
   * socket here, and at least until `settle`. @throws Problem unauthorized for an agent who is gone
   */
  async load(agent: AgentKey, socketId: string): Promise<void> {
    const { organizationId } = agent;
    this.entering.set(organizationId, (this.entering.get(organizationId) ?? new Set()).add(socketId));
    const readAt = performance.now();
    if (!this.byOrganization.has(organizationId)) this.put(await findPeople(this.pool, [organizationId]), readAt);
    else this.replace((await findPerson(this.pool, agent)) ?? gone(), readAt);
    if (!this.rightsOf(agent)) gone();
  }

  /** To be called when a socket has entered, and when it never will. */
  settle({ organizationId }: AgentKey, socketId: string): void {
    const sockets = this.entering.get(organizationId);
    if (!sockets?.delete(socketId) || sockets.size > 0) return;
    this.entering.delete(organizationId);
    this.forgetUnused(organizationId);
  }

  private forgetUnused(organizationId: string): void {
    if (!this.entering.has(organizationId) && !this.feed.hasOrganization(organizationId))
      this.byOrganization.delete(organizationId);
  }

  /** What an agent may see; undefined for one who is not known. */
  rightsOf({ organizationId, agentId }: AgentKey): Rights | undefined {
    return this.byOrganization.get(organizationId)?.get(agentId);
  }

  /** Whether an agent may see a chat. Reads an agent again who may not, as far as this node knows. */
  async maySee(agent: AgentKey, place: ChatPlace): Promise<boolean> {
    const isSeen = () => {
      const rights = this.rightsOf(agent);
      return rights !== undefined && maySee(rights, place);
    };
    if (isSeen()) return true;
    await this.reload(agent, performance.now());
    return isSeen();
  }

  /** Tells colleagues the presence of an agent, when it is another than they were told. */
  show(organizationId: string, presence: ShownPresence): void {
    const people = this.byOrganization.get(organizationId);
    if (!people) return;
    const { agentId, ...state } = presence;
    const person = people.get(agentId);
    if (person && isSame(person, state)) return;
    const { presence: shown, isAccepting } = state;
    if (person) Object.assign(person, { presence: shown, isAccepting, shownAt: performance.now() });
    this.presences.send(organizationId, presence);
  }

  /** Compares with the database, and tells what changed. */
  async compare(): Promise<void> {
    const isSettled = await this.node.isSettled();
    const organizationIds = [...this.byOrganization.keys()];
    const readAt = performance.now();
    const rows = await findPeople(this.pool, organizationIds);
    const found = new Set(rows.map(({ agentId }) => agentId));
    for (const organizationId of organizationIds) this.removeOthers(organizationId, found, readAt);
    for (const row of rows) this.replace(this.keepShown(row, readAt, isSettled), readAt);
  }

  // What colleagues were told while the rows were read is newer than the row, and absence may be that of the database.
  private keepShown(row: PersonRow, readAt: number, isSettled: boolean): PersonRow {
    const person = this.byOrganization.get(row.organizationId)?.get(row.agentId);
    const isNewer = (person?.shownAt ?? -Infinity) >= readAt;
    const isInDoubt = row.presence === 'OFFLINE' && !isSettled;
    if (!person || !(isNewer || isInDoubt)) return row;
    return { ...row, presence: person.presence, isAccepting: person.isAccepting };
  }

  /**
   * Takes at once what a change took of an agent's rights, and reads the agent again: of several changes the last one holds.
   * Does nothing for an organization without sockets here.
   */
  async change({ organizationId, agentId, rights }: AgentChanged): Promise<void> {
    if (!this.byOrganization.has(organizationId)) return;
    const before = this.byOrganization.get(organizationId)?.get(agentId);
    const readAt = performance.now();
    if (before) this.setRights(organizationId, before, narrow(before, rights ?? NO_RIGHTS), readAt);
    await this.reload({ organizationId, agentId }, readAt);
  }

  private async reload(agent: AgentKey, readAt: number): Promise<void> {
    const row = await findPerson(this.pool, agent);
    if (row) this.replace(row, readAt);
    else this.remove(agent.organizationId, agent.agentId);
  }

  private setRights(organizationId: string, person: Person, after: Rights, rightsAt: number): void {
    const { agentId, role, groupIds } = person;
    Object.assign(person, after, { rightsAt });
    const before = { agentId, role, groupIds };
    if (!hasSameRights(before, after)) for (const listener of this.listeners) listener(organizationId, before, after);
  }

  private replace(row: PersonRow, readAt: number): void {
    if (!this.byOrganization.has(row.organizationId)) return;
    const { organizationId, agentId, presence, isAccepting } = row;
    const before = this.byOrganization.get(organizationId)?.get(agentId);
    // An agent who was made and came online between two looks is new to the colleagues too.
    if (before || presence !== 'OFFLINE') this.show(organizationId, { agentId, presence, isAccepting });
    if (!before) this.put([row], readAt);
    else if (before.rightsAt <= readAt)
      this.setRights(organizationId, before, { agentId, role: row.role, groupIds: new Set(row.groupIds) }, readAt);
  }

  private removeOthers(organizationId: string, found: ReadonlySet<string>, readAt: number): void {
    for (const { agentId, rightsAt } of this.byOrganization.get(organizationId)?.values() ?? []) {
      if (!found.has(agentId) && rightsAt <= readAt) this.remove(organizationId, agentId);
    }
  }

  private remove(organizationId: string, agentId: string): void {
    const people = this.byOrganization.get(organizationId);
    const person = people?.get(agentId);
    if (!person) return;
    this.show(organizationId, { agentId, isAccepting: person.isAccepting, presence: 'OFFLINE' });
    people!.delete(agentId);
  }

  // What was narrowed after the rows were read is newer than they are.
  private put(rows: readonly PersonRow[], readAt: number): void {
    for (const { organizationId, groupIds, ...row } of rows) {
      const people = this.byOrganization.get(organizationId) ?? new Map<string, Person>();
      const person = { ...row, groupIds: new Set(groupIds), rightsAt: readAt };
      const known = people.get(row.agentId);
      if (known && known.rightsAt > readAt) {
        Object.assign(person, { role: known.role, groupIds: known.groupIds, rightsAt: known.rightsAt });
      }
      this.byOrganization.set(organizationId, people.set(row.agentId, person));
    }
  }
}

function gone(): never {
  throw unauthorized('The agent is disabled or gone');
}

function isSame(one: Omit<AgentPresence, 'agentId'>, other: Omit<AgentPresence, 'agentId'>): boolean {
  return one.presence === other.presence && one.isAccepting === other.isAccepting;
}

function hasSameRights(one: Rights, other: Rights): boolean {
  return (
    one.role === other.role &&
    one.groupIds.size === other.groupIds.size &&
    [...one.groupIds].every((groupId) => other.groupIds.has(groupId))
  );
}
