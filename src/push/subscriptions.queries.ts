import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import type { AgentKey } from '../agents/presence.queries.js';
import type { PushSettingsChange } from './push-settings.js';

/** A subscription as it's stored. */
export interface NewSubscription {
  id: string;
  sessionId: string;
  sealed: Buffer;
  publicKey: string;
  language: string;
}

// One agent's subscriptions are stored one after the other, so that they're counted right.
const LOCK_AGENT = 'SELECT id FROM agents WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE';
// A browser that sends the same endpoint again has subscribed with the same VAPID key, so `public_key` stays.
const PUT = `
  INSERT INTO push_subscriptions (organization_id, agent_id, id, session_id, sealed, public_key, language, subscribed_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (organization_id, id) DO UPDATE SET agent_id = excluded.agent_id, session_id = excluded.session_id,
    sealed = excluded.sealed, language = excluded.language, subscribed_at = excluded.subscribed_at, refusals = 0`;
const REMOVE_OLDEST = `
  DELETE FROM push_subscriptions WHERE organization_id = $1 AND agent_id = $2 AND id IN (
    SELECT s.id FROM push_subscriptions s WHERE s.organization_id = $1 AND s.agent_id = $2
    ORDER BY s.subscribed_at DESC, s.id OFFSET $3)`;

/** Stores a subscription, and removes the agent's oldest ones beyond `max`. Returns false if the agent doesn't exist anymore. */
export async function putSubscription(
  tx: EntityManager,
  { organizationId, agentId }: AgentKey,
  { id, sessionId, sealed, publicKey, language }: NewSubscription,
  { max, now }: { max: number; now: Date },
): Promise<boolean> {
  const found: unknown[] = await tx.query(LOCK_AGENT, [organizationId, agentId]);
  if (found.length === 0) return false;
  await tx.query(PUT, [organizationId, agentId, id, sessionId, sealed, publicKey, language, now]);
  await tx.query(REMOVE_OLDEST, [organizationId, agentId, max]);
  return true;
}

const REMOVE = 'DELETE FROM push_subscriptions WHERE organization_id = $1 AND id = $2';
const REMOVE_OWN = `${REMOVE} AND agent_id = $3`;

/** Removes a subscription of any agent. */
export async function removeSubscription(pool: Pool, organizationId: string, id: string): Promise<void> {
  await pool.query(REMOVE, [organizationId, id]);
}

export async function removeOwnSubscription(
  pool: Pool,
  { organizationId, agentId }: AgentKey,
  id: string,
): Promise<void> {
  await pool.query(REMOVE_OWN, [organizationId, id, agentId]);
}

const REMOVE_OF_SESSIONS = `
  DELETE FROM push_subscriptions
  WHERE organization_id = $1 AND agent_id = $2 AND ($3::text[] IS NULL OR session_id = ANY ($3))`;

/** Removes the subscriptions of sessions; of all the agent's sessions if `sessionIds` is null. */
export async function removeOfSessions(
  pool: Pool,
  { organizationId, agentId }: AgentKey,
  sessionIds: readonly string[] | null,
): Promise<void> {
  await pool.query(REMOVE_OF_SESSIONS, [organizationId, agentId, sessionIds]);
}

const HAS_ANY = 'SELECT EXISTS (SELECT FROM push_subscriptions WHERE organization_id = $1) AS "hasAny"';

/** Whether the organization has subscriptions. */
export async function hasSubscriptions(pool: Pool, organizationId: string): Promise<boolean> {
  const { rows } = await pool.query<{ hasAny: boolean }>({
    name: 'has-push-subscriptions',
    text: HAS_ANY,
    values: [organizationId],
  });
  return rows[0]!.hasAny;
}

const REFUSED = `
  UPDATE push_subscriptions SET refusals = refusals + 1 WHERE organization_id = $1 AND id = $2 RETURNING refusals`;
const ACCEPTED = 'UPDATE push_subscriptions SET refusals = 0 WHERE organization_id = $1 AND id = $2 AND refusals > 0';

/** Counts a refusal. Returns how many there were in a row. */
export async function countRefusal(pool: Pool, organizationId: string, id: string): Promise<number> {
  const { rows } = await pool.query<{ refusals: number }>(REFUSED, [organizationId, id]);
  return rows[0]?.refusals ?? 0;
}

export async function forgetRefusals(pool: Pool, organizationId: string, id: string): Promise<void> {
  await pool.query(ACCEPTED, [organizationId, id]);
}

const FIND_SETTINGS = 'SELECT push_settings AS settings FROM agents WHERE organization_id = $1 AND id = $2';
const SET_SETTINGS = `
  UPDATE agents SET push_settings = COALESCE(push_settings, '{}') || $3::jsonb WHERE organization_id = $1 AND id = $2`;

/** What the agent has set; null: nothing. */
export async function findSettings(
  pool: Pool,
  { organizationId, agentId }: AgentKey,
): Promise<PushSettingsChange | null> {
  const { rows } = await pool.query<{ settings: PushSettingsChange | null }>(FIND_SETTINGS, [organizationId, agentId]);
  return rows[0]?.settings ?? null;
}

export async function changeSettings(pool: Pool, { organizationId, agentId }: AgentKey, change: PushSettingsChange) {
  await pool.query(SET_SETTINGS, [organizationId, agentId, JSON.stringify(change)]);
}
