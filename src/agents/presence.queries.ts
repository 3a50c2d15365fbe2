import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { sqlIsRunning } from '../platform/cluster/nodes.queries.js';
import {
  isDistributed,
  type IsOf,
  queryEverywhere,
  queryOrganizations,
  sweepOrganizations,
} from '../platform/database/citus/per-organization.js';
import type { PauseReason } from './pause-reason.js';

// Presence (CONTRACT: Presence) is derived from the rows of connections, by the database's clock. A row counts while its
// node runs, and for a grace period after it closes, so that an agent who reloads the page stays online.

/** SQL: the grace period, which is how long a closed connection counts. */
const GRACE = `interval '15 s'`;

const isCounted = (connection: string) => `CASE WHEN ${connection}.closed_at IS NULL
    THEN EXISTS (SELECT FROM nodes n WHERE n.id = ${connection}.node_id AND ${sqlIsRunning('n')})
    ELSE ${connection}.closed_at > clock_timestamp() - ${GRACE} END`;

const connectionsOf = (agent: string, organizationId = `${agent}.organization_id`) =>
  `agent_connections k WHERE k.organization_id = ${organizationId} AND k.agent_id = ${agent}.id`;

/**
 * SQL: whether an agent is connected.
 * @param agent the alias of a row of `agents`
 * @param organizationId the agent's organization; a parameter if the statement is about one organization
 */
export const sqlIsConnected = (agent: string, organizationId?: string) =>
  `(${agent}.is_enabled AND EXISTS (SELECT FROM ${connectionsOf(agent, organizationId)} AND ${isCounted('k')}))`;

/** SQL: whether an agent has a visible page. @param agentId SQL: the agent's id @param organizationId a parameter */
export const sqlHasVisiblePage = (agentId: string, organizationId: string) => `
  EXISTS (SELECT FROM agent_connections k WHERE k.organization_id = ${organizationId} AND k.agent_id = ${agentId}
    AND k.is_visible AND k.closed_at IS NULL
    AND EXISTS (SELECT FROM nodes n WHERE n.id = k.node_id AND ${sqlIsRunning('n')}))`;

/** SQL: whether an agent accepts chats and isn't AWAY. @param agent the alias of a row of `agents` */
export const sqlTakesChats = (agent: string) => `(${agent}.is_accepting AND NOT ${agent}.is_away)`;

/** SQL: whether an agent is enabled, connected, and takes chats. It takes the parameters of `sqlIsConnected`. */
export const sqlIsOnline = (agent: string, organizationId?: string) =>
  `(${sqlTakesChats(agent)} AND ${sqlIsConnected(agent, organizationId)})`;

/** SQL: whether any agent of a group is online. @param organizationId a parameter: the statement is about one organization */
export const sqlIsStaffed = (groupId: string, organizationId: string) => `
  EXISTS (SELECT FROM agent_groups m JOIN agents a ON a.organization_id = ${organizationId} AND a.id = m.agent_id
    WHERE m.organization_id = ${organizationId} AND m.group_id = ${groupId} AND ${sqlIsOnline('a', organizationId)})`;

/** SQL: whether an agent's capacity allows one more chat. Pending offers count. @param agent the alias of a row of `agents` */
export const sqlHasRoom = (agent: string) => `${agent}.open_chats + ${agent}.pending_offers < ${agent}.capacity`;

/** SQL: the ids (`agent_id`) of an organization's agents with a connection that counts. */
export const sqlConnected = (organizationId: string) =>
  `SELECT DISTINCT k.agent_id FROM agent_connections k WHERE k.organization_id = ${organizationId} AND ${isCounted('k')}`;

/** SQL: the presence of an agent. It takes the parameters of `sqlIsConnected`. */
export const sqlPresence = (agent: string, organizationId?: string) => `
  CASE WHEN NOT ${sqlIsConnected(agent, organizationId)} THEN 'OFFLINE' WHEN ${sqlTakesChats(agent)} THEN 'ONLINE' ELSE 'PAUSED' END`;

/** SQL: why an agent is paused; null if they take chats, or without a reason. @param agent the alias of a row of `agents` */
export const sqlPauseReason = (agent: string) =>
  `CASE WHEN NOT ${agent}.is_accepting THEN ${agent}.pause_reason WHEN ${agent}.is_away THEN 'AWAY' END`;

/**
 * SQL: when the last connection of an OFFLINE agent ended; null if there never was one. It includes connections whose end isn't
 * yet written to the agent's row.
 * @param agent the alias of a row of `agents`
 * @param organizationId as for `sqlIsConnected`
 */
export const sqlLastOnlineAt = (agent: string, organizationId?: string) => `
  GREATEST(${agent}.last_online_at, (
    SELECT max(COALESCE(k.closed_at, (SELECT n.seen_at FROM nodes n WHERE n.id = k.node_id), k.opened_at))
    FROM ${connectionsOf(agent, organizationId)}))`;

/**
 * SQL: since when an agent has their presence; null if that isn't known. After a reconnect within the grace period it's the time of the
 * first connection.
 * @param agent the alias of a row of `agents`
 * @param organizationId as for `sqlIsConnected`
 */
export const sqlPresenceSince = (agent: string, organizationId?: string) => `
  CASE WHEN ${sqlIsConnected(agent, organizationId)}
    THEN COALESCE(${agent}.presence_at, (SELECT min(k.opened_at) FROM ${connectionsOf(agent, organizationId)} AND ${isCounted('k')}))
    ELSE ${sqlLastOnlineAt(agent, organizationId)} END`;

/** OFFLINE: no connection counts. PAUSED: connected, but not accepting chats, or away. ONLINE: connected and accepting. */
export type Presence = 'ONLINE' | 'PAUSED' | 'OFFLINE';

export interface AgentPresence {
  agentId: string;
  presence: Presence;
  isAccepting: boolean;
  /** Why the agent is paused. */
  reason: PauseReason | null;
}

const FIND_PRESENCE = `
  SELECT a.id AS "agentId", a.is_accepting AS "isAccepting", ${sqlPresence('a', '$1')} AS presence,
    ${sqlPauseReason('a')} AS reason
  FROM agents a WHERE a.organization_id = $1 AND a.id = ANY ($2)`;

export function findPresence(
  manager: EntityManager,
  organizationId: string,
  agentIds: readonly string[],
): Promise<AgentPresence[]> {
  return manager.query(FIND_PRESENCE, [organizationId, agentIds]);
}

/** An open socket of an agent. */
export interface Connection {
  organizationId: string;
  agentId: string;
  id: string;
  /** The session it was opened with. */
  sessionId: string;
  /** Whether its page says that it's visible. */
  isVisible?: boolean;
}

const INSERT_CONNECTION = `
  INSERT INTO agent_connections (organization_id, agent_id, id, session_id, node_id, opened_at)
  VALUES ($1, $2, $3, $4, $5, clock_timestamp())`;
// An agent who connects has the whole time until they're AWAY. Opening a connection doesn't wait for a lock on the agent's row.
const OPEN = `
  WITH others AS (
    SELECT k.id FROM agent_connections k WHERE k.organization_id = $1 AND k.agent_id = $2 AND ${isCounted('k')}
  ), opened AS (${INSERT_CONNECTION}
  ), arriving AS (
    SELECT a.id FROM agents a
    WHERE a.organization_id = $1 AND a.id = $2 AND NOT EXISTS (SELECT FROM others) FOR NO KEY UPDATE SKIP LOCKED
  ), arrived AS (
    UPDATE agents a SET active_at = statement_timestamp(), presence_at = statement_timestamp() FROM arriving WHERE a.organization_id = $1 AND a.id = arriving.id
  )
  SELECT EXISTS (SELECT FROM others) AS "wasConnected"`;

// A Citus cluster needs every worker for OPEN, and only one of them for each of these.
const WAS_CONNECTED = `SELECT EXISTS (
    SELECT FROM agent_connections k WHERE k.organization_id = $1 AND k.agent_id = $2 AND ${isCounted('k')}) AS "wasConnected"`;
const ARRIVE = `
  UPDATE agents SET active_at = statement_timestamp(), presence_at = statement_timestamp()
  WHERE organization_id = $1 AND id = (
    SELECT a.id FROM agents a WHERE a.organization_id = $1 AND a.id = $2 FOR NO KEY UPDATE SKIP LOCKED)`;

/** Returns whether the agent was connected before. */
export async function openConnection(pool: Pool, nodeId: string, connection: Connection): Promise<boolean> {
  const { organizationId, agentId, id, sessionId } = connection;
  if (isDistributed(pool)) {
    const { rows: before } = await pool.query<{ wasConnected: boolean }>(WAS_CONNECTED, [organizationId, agentId]);
    await pool.query(INSERT_CONNECTION, [organizationId, agentId, id, sessionId, nodeId]);
    if (!before[0]!.wasConnected) await pool.query(ARRIVE, [organizationId, agentId]);
    return before[0]!.wasConnected;
  }
  const { rows } = await pool.query<{ wasConnected: boolean }>(OPEN, [organizationId, agentId, id, sessionId, nodeId]);
  return rows[0]!.wasConnected;
}

const CLOSE = `
  UPDATE agent_connections SET closed_at = statement_timestamp()
  WHERE organization_id = $1 AND agent_id = $2 AND id = $3 AND closed_at IS NULL`;

/** Starts a connection's grace period. */
export async function closeConnection(pool: Pool, { organizationId, agentId, id }: Connection): Promise<void> {
  await pool.query(CLOSE, [organizationId, agentId, id]);
}

const SET_VISIBLE = `
  UPDATE agent_connections SET is_visible = $4 WHERE organization_id = $1 AND agent_id = $2 AND id = $3 AND is_visible <> $4`;

/** Stores whether the page of a connection is visible. */
export async function setVisible(pool: Pool, connection: Connection, isVisible: boolean): Promise<void> {
  const { organizationId, agentId, id } = connection;
  await pool.query(SET_VISIBLE, [organizationId, agentId, id, isVisible]);
}

const closeAll = (isOf: string) => `
  UPDATE agent_connections k SET closed_at = statement_timestamp() WHERE node_id = $1 AND closed_at IS NULL AND ${isOf}`;

/** Starts the grace period of every connection of a node. */
export async function closeConnectionsOf(pool: Pool, nodeId: string): Promise<void> {
  await queryEverywhere(pool, { name: 'close-connections', text: (isOf) => closeAll(isOf('k')), values: [nodeId] });
}

const findOpen = (isOf: string) => `
  SELECT organization_id AS "organizationId", agent_id AS "agentId", id, session_id AS "sessionId"
  FROM agent_connections k WHERE node_id = $1 AND closed_at IS NULL AND ${isOf}`;

/** The connections of a node that are stored as open. */
export async function findOpenConnections(pool: Pool, nodeId: string): Promise<Connection[]> {
  const text = (isOf: IsOf) => findOpen(isOf('k'));
  return queryEverywhere<Connection>(pool, { name: 'find-open-connections', text, values: [nodeId] });
}

// Agents may have been removed since.
const RESTORE = `
  INSERT INTO agent_connections (organization_id, agent_id, id, session_id, node_id, opened_at, is_visible)
  SELECT c.organization_id, c.agent_id, c.id, c.session_id, $5, clock_timestamp(), c.is_visible
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $6::boolean[])
    AS c (organization_id, agent_id, id, session_id, is_visible)
  JOIN agents a ON a.organization_id = c.organization_id AND a.id = c.agent_id
  ON CONFLICT (organization_id, agent_id, id) DO NOTHING
  RETURNING organization_id AS "organizationId", agent_id AS "agentId"`;

/** Stores connections as open again. Returns the agents whose connections had been removed. */
export async function restoreConnections(
  pool: Pool,
  nodeId: string,
  connections: readonly Connection[],
): Promise<AgentKey[]> {
  const values = [
    connections.map(({ organizationId }) => organizationId),
    connections.map(({ agentId }) => agentId),
    connections.map(({ id }) => id),
    connections.map(({ sessionId }) => sessionId),
    nodeId,
    connections.map(({ isVisible = false }) => isVisible),
  ];
  const items = [[0, 1, 2, 3, 5]];
  return queryOrganizations<AgentKey>(pool, { name: 'restore-connections', text: RESTORE, values, items });
}

const END = `
  WITH ended AS (
    DELETE FROM agent_connections
    WHERE organization_id = $1 AND agent_id = $2 AND ($3::text[] IS NULL OR session_id = ANY ($3))
    RETURNING agent_id
  )
  UPDATE agents SET last_online_at = statement_timestamp()
  WHERE organization_id = $1 AND id = $2 AND EXISTS (SELECT FROM ended)`;

/** Ends the connections of sessions without a grace period; of all if `sessionIds` is null. Returns whether any existed. */
export async function endConnections(
  pool: Pool,
  organizationId: string,
  agentId: string,
  sessionIds: readonly string[] | null,
): Promise<boolean> {
  const { rowCount } = await pool.query(END, [organizationId, agentId, sessionIds]);
  return (rowCount ?? 0) > 0;
}

const ended = (isOf: string) => `
    SELECT k.organization_id, k.agent_id, k.id, k.closed_at AS ended_at FROM agent_connections k
    WHERE k.closed_at <= now() - ${GRACE} AND ${isOf}
    UNION ALL
    SELECT k.organization_id, k.agent_id, k.id, n.seen_at FROM nodes n JOIN agent_connections k ON k.node_id = n.id
    WHERE $1::boolean AND NOT (${sqlIsRunning('n')}) AND k.closed_at IS NULL AND ${isOf}`;

// Nodes that do this at the same time skip each other's rows. Agents are locked in the order of their ids, as everywhere.
const removeEnded = (isOf: string) => `
  WITH due AS (${ended(isOf)}
  ), held AS (
    SELECT k.organization_id, k.agent_id, k.id, d.ended_at
    FROM due d JOIN agent_connections k
      ON k.organization_id = d.organization_id AND k.agent_id = d.agent_id AND k.id = d.id
    FOR UPDATE OF k SKIP LOCKED
  ), removed AS (
    DELETE FROM agent_connections k USING held h
    WHERE k.organization_id = h.organization_id AND k.agent_id = h.agent_id AND k.id = h.id
    RETURNING h.organization_id, h.agent_id, h.ended_at
  ), ended AS (
    SELECT organization_id, agent_id, max(ended_at) AS ended_at FROM removed GROUP BY organization_id, agent_id
  ), locked AS (
    SELECT a.organization_id, a.id, e.ended_at
    FROM agents a JOIN ended e ON a.organization_id = e.organization_id AND a.id = e.agent_id
    ORDER BY a.organization_id, a.id FOR NO KEY UPDATE OF a
  ), updated AS (
    UPDATE agents a SET last_online_at = GREATEST(a.last_online_at, l.ended_at)
    FROM locked l WHERE a.organization_id = l.organization_id AND a.id = l.id
    RETURNING a.organization_id, a.id
  )
  SELECT organization_id AS "organizationId", id AS "agentId" FROM updated`;

const findEnded = (isOf: string) => `SELECT DISTINCT organization_id AS id FROM (${ended(isOf)}) due`;

export interface AgentKey {
  organizationId: string;
  agentId: string;
}

/**
 * Removes connections whose grace period is over, and records it in their agents' rows. Returns these agents.
 * @param areNodesSettled whether a node without a heartbeat has ended (`ThisNode.isSettled`). If false, only closed connections end
 */
export async function removeEndedConnections(pool: Pool, areNodesSettled: boolean): Promise<AgentKey[]> {
  return sweepOrganizations<AgentKey>(pool, {
    name: 'remove-ended-connections',
    text: (isOf) => removeEnded(isOf('k')),
    values: [areNodesSettled],
    find: (isOf) => findEnded(isOf('k')),
  });
}

const ACCEPT = `
  WITH before AS (
    SELECT is_accepting <> $3 OR is_away OR pause_reason IS DISTINCT FROM $4 AS is_changed, statement_timestamp() AS now
    FROM agents WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE
  )
  UPDATE agents a SET is_accepting = $3, missed_offers = CASE WHEN $3 THEN 0 ELSE missed_offers END,
    pause_reason = $4, active_at = b.now, is_away = false,
    presence_at = CASE WHEN b.is_changed THEN b.now ELSE a.presence_at END
  FROM before b WHERE a.organization_id = $1 AND a.id = $2
  RETURNING b.is_changed AS "isChanged"`;

/**
 * Sets whether an agent accepts chats, and ends that they're away. Returns whether that changed anything.
 * @param reason why not; null if they accept, or without a reason
 */
export async function setAccepting(
  manager: EntityManager,
  { organizationId, agentId }: AgentKey,
  isAccepting: boolean,
  reason: PauseReason | null,
): Promise<boolean> {
  const [rows] = (await manager.query(ACCEPT, [organizationId, agentId, isAccepting, reason])) as [
    { isChanged: boolean }[],
    number,
  ];
  return rows[0]?.isChanged ?? false;
}
