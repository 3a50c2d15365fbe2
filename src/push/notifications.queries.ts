import type { Pool } from 'pg';
import { sqlHasVisiblePage } from '../agents/presence.queries.js';
import { READ_BY_AGENTS } from '../chats/reading/reads.queries.js';
import { type IsOf, queryEverywhere, queryOrganizations } from '../platform/database/citus/per-organization.js';
import type { PushEvent, PushKind } from './push-kind.js';
import type { PushSettingsChange } from './push-settings.js';

// The latest event of a chat replaces one that waits. A push service that asked for a pause still gets it.
const QUEUE = `
  INSERT INTO push_notifications AS n (organization_id, subscription_id, chat_id, kind, expires_at, due_at)
  SELECT DISTINCT ON (s.organization_id, s.id, c.id) s.organization_id, s.id, c.id, e.kind, e.expires_at, $6::timestamptz
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[]) WITH ORDINALITY
    AS e (organization_id, chat_id, agent_id, kind, expires_at, place)
  JOIN chats c ON c.organization_id = e.organization_id AND c.id = e.chat_id AND c.erased_at IS NULL
  JOIN push_subscriptions s ON s.organization_id = e.organization_id AND s.agent_id = COALESCE(e.agent_id, c.agent_id)
  WHERE NOT ${sqlHasVisiblePage('s.agent_id', 's.organization_id')}
  ORDER BY s.organization_id, s.id, c.id, e.place DESC
  ON CONFLICT (organization_id, subscription_id, chat_id) DO UPDATE SET kind = excluded.kind, expires_at = excluded.expires_at,
    due_at = greatest(excluded.due_at, n.retry_at), lease = n.lease + 1
  RETURNING n.due_at`;

/** Queues notifications for the agents' subscriptions, unless the agent has a visible page. Returns how many. */
export async function queueNotifications(pool: Pool, events: readonly PushEvent[], now: Date): Promise<number> {
  const values = [
    events.map(({ organizationId }) => organizationId),
    events.map(({ chatId }) => chatId),
    events.map(({ agentId }) => agentId),
    events.map(({ kind }) => kind),
    events.map(({ expiresAt }) => expiresAt),
    now,
  ];
  const items = [[0, 1, 2, 3, 4]];
  return (await queryOrganizations(pool, { name: 'queue-push', text: QUEUE, values, items })).length;
}

export interface DueNotification {
  organizationId: string;
  subscriptionId: string;
  chatId: string;
}

const due = (isOf: IsOf) => `
  SELECT n.organization_id AS "organizationId", n.subscription_id AS "subscriptionId", n.chat_id AS "chatId"
  FROM push_notifications n WHERE n.due_at <= $1 AND n.organization_id <> ALL ($3::text[]) AND ${isOf('n')}
  ORDER BY n.due_at LIMIT $2`;

/** The notifications that are due, the longest due first. @param busy organizations that have to wait */
export function findDue(pool: Pool, now: Date, limit: number, busy: readonly string[]): Promise<DueNotification[]> {
  return queryEverywhere<DueNotification & Record<string, unknown>>(pool, {
    name: 'find-due-push',
    text: due,
    values: [now, limit, busy],
  });
}

const LEASE = `
  UPDATE push_notifications n SET lease = lease + 1, due_at = $5
  WHERE n.organization_id = $1 AND subscription_id = $2 AND chat_id = $3 AND due_at <= $4
  RETURNING kind, lease, n.attempts, expires_at AS "expiresAt"`;

/** A notification that this node sends. */
export interface LeasedNotification extends DueNotification {
  kind: PushKind;
  lease: number;
  attempts: number;
  expiresAt: Date;
}

/** Takes the right to send a notification until a time; null if another node has it. */
export async function leaseNotification(
  pool: Pool,
  notification: DueNotification,
  now: Date,
  until: Date,
): Promise<LeasedNotification | null> {
  const { organizationId, subscriptionId, chatId } = notification;
  const { rows } = await pool.query<Omit<LeasedNotification, keyof DueNotification>>(LEASE, [
    organizationId,
    subscriptionId,
    chatId,
    now,
    until,
  ]);
  return rows[0] ? { ...notification, ...rows[0] } : null;
}

const FENCED = 'WHERE n.organization_id = $1 AND subscription_id = $2 AND chat_id = $3 AND lease = $4';
const REMOVE = `DELETE FROM push_notifications n ${FENCED}`;
const RETRY = `UPDATE push_notifications n SET attempts = n.attempts + 1, due_at = $5, retry_at = $5 ${FENCED}`;

/** Removes a notification, unless a newer event replaced it. */
export async function removeNotification(pool: Pool, notification: LeasedNotification): Promise<void> {
  const { organizationId, subscriptionId, chatId, lease } = notification;
  await pool.query(REMOVE, [organizationId, subscriptionId, chatId, lease]);
}

/** Lets a notification wait for its next attempt. */
export async function retryNotification(pool: Pool, notification: LeasedNotification, at: Date): Promise<void> {
  const { organizationId, subscriptionId, chatId, lease } = notification;
  await pool.query(RETRY, [organizationId, subscriptionId, chatId, lease, at]);
}

/** What a notification says, and whether it's still wanted. */
export interface NotificationState {
  agentId: string;
  sessionId: string;
  sealed: Buffer;
  publicKey: string;
  language: string;
  settings: PushSettingsChange | null;
  organizationName: string;
  /** Whether names and texts may be sent. */
  hasContent: boolean;
  hasVisiblePage: boolean;
  /** Whether it still concerns the agent: the offer is pending, the chat is the agent's, the mention or message isn't read. */
  isOpen: boolean;
  visitorName: string | null;
  /** The visitor's last message; null: none. */
  text: string | null;
  /** The last note that mentions the agent; null: none. */
  noteText: string | null;
  noteAuthor: string | null;
  /** The agent's chats with unread messages, up to 99. */
  unread: number;
}

const UNREAD = `
  SELECT count(*)::integer FROM (
    SELECT FROM chats c WHERE c.organization_id = $1 AND c.agent_id = a.id AND c.erased_at IS NULL AND c.snoozed_by IS NULL
      AND c.last_visitor_seq > ${READ_BY_AGENTS} LIMIT 99) AS counted`;
const FIND_STATE = `
  SELECT s.agent_id AS "agentId", s.session_id AS "sessionId", s.sealed, s.public_key AS "publicKey", s.language,
    a.push_settings AS settings, o.name AS "organizationName",
    COALESCE((o.mail_settings->>'pushContent')::boolean, true) AS "hasContent",
    ${sqlHasVisiblePage('a.id', '$1')} AS "hasVisiblePage",
    CASE WHEN $4 = 'offer' THEN EXISTS (SELECT FROM chat_offers f
        WHERE f.organization_id = $1 AND f.chat_id = c.id AND f.agent_id = a.id AND f.ended_at IS NULL AND f.expires_at > $5)
      WHEN $4 = 'assignment' THEN c.agent_id = a.id
      WHEN $4 = 'mention' THEN EXISTS (SELECT FROM note_mentions m
        WHERE m.organization_id = $1 AND m.chat_id = c.id AND m.agent_id = a.id AND m.seen_at IS NULL)
      ELSE c.agent_id = a.id AND c.last_visitor_seq > ${READ_BY_AGENTS} END AS "isOpen",
    v.name AS "visitorName",
    (SELECT m.content FROM messages m WHERE m.organization_id = $1 AND m.chat_id = c.id AND m.seq = c.last_visitor_seq
      AND m.deleted_at IS NULL) AS text,
    n.content AS "noteText", n.author_name AS "noteAuthor", (${UNREAD}) AS unread
  FROM push_subscriptions s
  JOIN agents a ON a.organization_id = $1 AND a.id = s.agent_id
  JOIN organizations o ON o.id = $1 AND o.deleted_at IS NULL
  JOIN chats c ON c.organization_id = $1 AND c.id = $3 AND c.erased_at IS NULL
  JOIN visitors v ON v.organization_id = $1 AND v.id = c.visitor_id
  LEFT JOIN LATERAL (
    SELECT n.content, n.author_name FROM note_mentions m
    JOIN notes n ON n.organization_id = $1 AND n.chat_id = m.chat_id AND n.id = m.note_id
    WHERE $4 = 'mention' AND m.organization_id = $1 AND m.agent_id = s.agent_id AND m.chat_id = c.id AND m.seen_at IS NULL
    ORDER BY m.note_id DESC LIMIT 1) n ON true
  WHERE s.organization_id = $1 AND s.id = $2`;

/** Null: the subscription, the chat, or the organization was deleted. */
export async function findNotificationState(
  pool: Pool,
  { organizationId, subscriptionId, chatId, kind }: LeasedNotification,
  now: Date,
): Promise<NotificationState | null> {
  const values = [organizationId, subscriptionId, chatId, kind, now];
  const { rows } = await pool.query<NotificationState>({ name: 'find-push-state', text: FIND_STATE, values });
  return rows[0] ?? null;
}
