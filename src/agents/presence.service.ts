import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { ThisNode } from '../platform/cluster/this-node.js';
import { POOL } from '../platform/database/pool.js';
import { notFound, unavailable } from '../platform/errors/problem.js';
import { DomainEventBus } from '../platform/database/domain-events.js';
import './agents.events.js';
import { markAway, noteInput } from './away.queries.js';
import type { PauseReason } from './pause-reason.js';
import {
  type AgentKey,
  type AgentPresence,
  closeConnection,
  closeConnectionsOf,
  type Connection,
  endConnections,
  findOpenConnections,
  findPresence,
  openConnection,
  removeEndedConnections,
  restoreConnections,
  setAccepting,
  setVisible,
} from './presence.queries.js';

/**
 * Which agents are online (CONTRACT: Presence). Agents set `isAccepting`; their connections decide the rest. The node that makes
 * or detects a change announces it once, as `agent.presenceChanged`.
 */
@Injectable()
export class PresenceService implements OnModuleDestroy {
  /** The open connections of this node. */
  private readonly open = new Map<string, Connection>();
  private hasConnected = false;
  private isStopping = false;

  constructor(
    private readonly manager: EntityManager,
    @Inject(POOL) private readonly pool: Pool,
    private readonly node: ThisNode,
    private readonly events: DomainEventBus,
  ) {
    node.onHeartbeat((hasLapsed) => this.reconcile(hasLapsed));
  }

  /** The presence of these agents; unknown ones are left out. */
  async presenceOf(
    organizationId: string,
    agentIds: readonly string[],
    manager = this.manager,
  ): Promise<Map<string, AgentPresence>> {
    const found = await findPresence(manager, organizationId, agentIds);
    return new Map(found.map((presence) => [presence.agentId, presence]));
  }

  /** Counts a connection from now on. @throws Problem unavailable while the process shuts down */
  async connect(connection: Connection): Promise<void> {
    await this.node.register();
    if (this.isStopping) throw unavailable('This node is shutting down; connect again');
    this.open.set(connection.id, connection);
    this.hasConnected = true;
    const wasConnected = await openConnection(this.pool, this.node.id, connection).catch((error: unknown) => {
      this.open.delete(connection.id);
      throw error;
    });
    if (!wasConnected) await this.emitPresence([connection]);
  }

  /**
   * A connection was closed or lost: it counts for another 15 s. Does nothing if it doesn't count. If this fails, the next
   * heartbeat stores the end.
   */
  async disconnect(connection: Connection): Promise<void> {
    if (!this.open.delete(connection.id) || this.isStopping) return;
    await closeConnection(this.pool, connection);
  }

  /** A page of an agent is visible now, or isn't anymore. It doesn't change the presence. */
  async setVisible(connectionId: string, isVisible: boolean): Promise<void> {
    const connection = this.open.get(connectionId);
    if (!connection || connection.isVisible === isVisible) return;
    connection.isVisible = isVisible;
    await setVisible(this.pool, connection, isVisible);
  }

  /** Ends the connections of sessions immediately, on every node; of all the agent's sessions if `sessionIds` is null. */
  async endSessions(organizationId: string, agentId: string, sessionIds: readonly string[] | null): Promise<void> {
    if (await endConnections(this.pool, organizationId, agentId, sessionIds))
      await this.emitPresence([{ organizationId, agentId }]);
  }

  /**
   * Sets whether routing may give chats to the agent. Accepting resets the count of missed offers. Ends AWAY.
   * @param reason why not
   * @param tx the transaction it belongs to, if any. The change is announced after the commit
   * @throws Problem not_found
   */
  async setAccepting(
    organizationId: string,
    agentId: string,
    isAccepting: boolean,
    reason: PauseReason | null = null,
    tx?: EntityManager,
  ): Promise<AgentPresence> {
    const manager = tx ?? this.manager;
    const isChanged = await setAccepting(manager, { organizationId, agentId }, isAccepting, reason);
    const presence = (await this.presenceOf(organizationId, [agentId], manager)).get(agentId) ?? notFound('Agent');
    if (isChanged) this.events.emit('agent.presenceChanged', { organizationId, ...presence }, tx);
    return presence;
  }

  /** The agent made an input, which ends AWAY. */
  async onInput(agent: AgentKey): Promise<void> {
    if (await noteInput(this.pool, agent)) await this.emitPresence([agent]);
  }

  /** Marks idle agents as AWAY, and announces them. After an outage of the database, input has a moment to be noted first. */
  async findAway(): Promise<void> {
    if (await this.node.isSettled()) await this.emitPresence(await markAway(this.pool));
  }

  /** Removes the connections whose grace period is over, and announces the agents who are offline now. */
  async removeEnded(): Promise<void> {
    const isSettled = await this.node.isSettled();
    await this.emitPresence(
      await removeEndedConnections(this.pool, isSettled),
      ({ presence }) => presence === 'OFFLINE',
    );
  }

  // The sockets connect to other nodes within the grace.
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    if (this.hasConnected) await closeConnectionsOf(this.pool, this.node.id).catch(() => undefined);
    this.open.clear();
  }

  // Makes the rows match the sockets. If the database was down, ends weren't stored, and other nodes may have taken this node
  // for dead and removed the connections of open sockets.
  private async reconcile(hasLapsed: boolean): Promise<void> {
    if (!this.hasConnected || this.isStopping) return;
    // Reads the rows first: a new connection is in `open` before its row exists.
    const written = await findOpenConnections(this.pool, this.node.id);
    for (const connection of written) if (!this.open.has(connection.id)) await closeConnection(this.pool, connection);
    if (!hasLapsed || this.open.size === 0) return;
    const open = [...this.open.values()];
    await restoreConnections(this.pool, this.node.id, open);
    // While the node counted as dead, its agents were offline, even if no other node has removed their rows. Chats may wait for them.
    await this.emitPresence(open);
  }

  // Reads the presence after the change, so that after two concurrent changes the last event has the latest state.
  private async emitPresence(agents: readonly AgentKey[], isMeant: (agent: AgentPresence) => boolean = () => true) {
    const byOrganization = new Map<string, Set<string>>();
    for (const { organizationId, agentId } of agents) {
      byOrganization.set(organizationId, (byOrganization.get(organizationId) ?? new Set()).add(agentId));
    }
    for (const [organizationId, agentIds] of byOrganization) {
      for (const presence of (await this.presenceOf(organizationId, [...agentIds])).values()) {
        if (isMeant(presence)) this.events.emit('agent.presenceChanged', { organizationId, ...presence });
      }
    }
  }
}
