import type { Pool } from 'pg';

/** What can keep visitors from getting answers without anyone noticing. */
export const TROUBLE_KINDS = [
  'webhook_failing',
  'webhook_disabled',
  'bot_silent',
  'connection_failing',
  'connection_paused',
  'nobody_online',
  'mail_failing',
  'mail_to_check',
] as const;
export type TroubleKind = (typeof TROUBLE_KINDS)[number];

/** Something that needs an administrator. */
export interface Trouble {
  kind: TroubleKind;
  /** Of the webhook, bot, or group, or of the chat whose mail waits for the longest time; null for failing mails, and for chats that any bot could take. */
  id: string | null;
  /** The webhook's URL, or the bot's or group's name. */
  name: string | null;
  /** When it began, as far as it's known. */
  since: Date | null;
  /** Deliveries that were given up, chats without an answer, turns that failed in a row, waiting chats, mails, or chats with a mail to check; null: not counted. */
  count: number | null;
}

/** Counting stops here. */
const MAX_COUNT = 1_000;
/** The most rows of one statement. */
const MAX_ROWS = 50;
/** A webhook that fails for a shorter time may only be restarted. */
const FAILING_AFTER_MS = 60_000;
/** Turns that fail in a row, until the connection counts as failing. */
const FAILED_TURNS = 5;
/** How old the newest try of a mail may be. */
const MAILS_OF_MS = 24 * 60 * 60 * 1000;
/** The newest mails that are read. */
const MAX_MAILS = 100;

// Deliveries that were given up count until they're resent, or until retention removes them.
const DEAD = `FROM deliveries WHERE organization_id = $1 AND receiver_id = w.id AND outcome = 'dead'`;
const WEBHOOKS = `
  SELECT CASE WHEN r.is_enabled THEN 'webhook_failing' ELSE 'webhook_disabled' END AS kind, w.id, w.url AS name,
    LEAST(l.failing_since, d.oldest) AS since, d.count
  FROM webhooks w
  JOIN receivers r ON r.organization_id = $1 AND r.id = w.id
  LEFT JOIN webhook_lanes l ON l.organization_id = $1 AND l.webhook_id = w.id
  CROSS JOIN LATERAL (
    SELECT (SELECT count(*)::integer FROM (SELECT ${DEAD} LIMIT ${MAX_COUNT}) dead) AS count,
      (SELECT created_at ${DEAD} ORDER BY id LIMIT 1) AS oldest
  ) d
  WHERE w.organization_id = $1
    AND (r.is_enabled AND (l.failing_since <= $2 OR d.count > 0) OR NOT r.is_enabled AND r.disabled_reason IS NOT NULL)
  ORDER BY w.id LIMIT ${MAX_ROWS}`;

/** The webhooks whose receivers lack events. */
export async function findFailingWebhooks(pool: Pool, organizationId: string, now: Date): Promise<Trouble[]> {
  const values = [organizationId, new Date(now.getTime() - FAILING_AFTER_MS)];
  return (await pool.query<Trouble>({ name: 'health-webhooks', text: WEBHOOKS, values })).rows;
}

// A bot that fetches events is silent if one of them waits for longer than the organization lets its bots be silent.
const OLDEST_EVENT = `
  SELECT d.created_at FROM deliveries d
  WHERE d.organization_id = $1 AND d.receiver_id = s.id AND d.outcome IS NULL AND d.due_at IS NULL ORDER BY d.position LIMIT 1`;
const SILENT = `
  SELECT 'bot_silent' AS kind, g.bot_id AS id, b.name, min(s.since) AS since, count(*)::integer AS count
  FROM (SELECT * FROM bot_silences WHERE organization_id = $1 LIMIT ${MAX_COUNT}) s
  JOIN chats c ON c.organization_id = $1 AND c.id = s.chat_id
  JOIN groups g ON g.organization_id = $1 AND g.id = c.group_id
  LEFT JOIN bots b ON b.organization_id = $1 AND b.id = g.bot_id
  GROUP BY g.bot_id, b.name`;
const FORGETFUL = `
  SELECT 'bot_silent' AS kind, b.id, b.name,
    CASE WHEN s.is_resting THEN COALESCE(s.last_polled_at, s.awake_since) ELSE o.oldest END AS since, NULL::integer AS count
  FROM subscriptions s
  JOIN bots b ON b.organization_id = $1 AND b.id = s.bot_id
  CROSS JOIN LATERAL (SELECT (${OLDEST_EVENT}) AS oldest) o
  WHERE s.organization_id = $1 AND (s.is_resting AND s.gap_since IS NOT NULL
    OR NOT s.is_resting AND GREATEST(o.oldest, COALESCE(s.last_polled_at, o.oldest)) < $2::timestamptz - make_interval(secs => (
      SELECT COALESCE(NULLIF(bot_silence_seconds, 0), 3600) FROM organizations WHERE id = $1)))`;
const CONNECTIONS = `
  SELECT CASE WHEN f.is_enabled THEN 'connection_failing' ELSE 'connection_paused' END AS kind, b.id, b.name,
    CASE WHEN f.is_enabled THEN f.last_success_at END AS since, CASE WHEN f.is_enabled THEN f.failures_in_row END AS count
  FROM bot_connections f
  JOIN bots b ON b.organization_id = $1 AND b.id = f.bot_id
  WHERE f.organization_id = $1 AND (NOT f.is_enabled OR f.failures_in_row >= ${FAILED_TURNS})`;
const BOTS = `
  SELECT kind, id, name, since, count FROM (${SILENT} UNION ALL ${FORGETFUL} UNION ALL ${CONNECTIONS}) found
  ORDER BY kind, id LIMIT ${MAX_ROWS}`;

/** The bots that don't take what visitors write, or can't. A bot may be in the list twice. */
export async function findSilentBots(pool: Pool, organizationId: string, now: Date): Promise<Trouble[]> {
  return (await pool.query<Trouble>({ name: 'health-bots', text: BOTS, values: [organizationId, now] })).rows;
}

// A mail that was sent or came back after the failed ones shows that the server takes mails again.
const MAILS = `
  SELECT 'mail_failing' AS kind, NULL AS id, NULL AS name, min(first_tried_at) AS since, count(*)::integer AS count
  FROM (
    SELECT first_tried_at, tried_at, is_failing, max(tried_at) FILTER (WHERE NOT is_failing) OVER () AS worked_at
    FROM (
      SELECT first_tried_at, tried_at, last_error IS NOT NULL AND status IN ('WAITING', 'FAILED') AS is_failing
      FROM mails WHERE organization_id = $1 ORDER BY id DESC LIMIT ${MAX_MAILS}
    ) newest
    WHERE tried_at IS NOT NULL
  ) tried
  WHERE is_failing AND tried_at > $2 AND (worked_at IS NULL OR tried_at > worked_at)
  HAVING count(*) > 0`;

/** Whether the mail server takes no mails: at most one row. */
export async function findUnsentMails(pool: Pool, organizationId: string, now: Date): Promise<Trouble[]> {
  const values = [organizationId, new Date(now.getTime() - MAILS_OF_MS)];
  return (await pool.query<Trouble>({ name: 'health-mails', text: MAILS, values })).rows;
}

// In chats that wait or that an agent has, the team sees it.
const TO_CHECK = `
  SELECT 'mail_to_check' AS kind, (array_agg(chat_id ORDER BY since, chat_id))[1] AS id, NULL AS name, min(since) AS since,
    count(*)::integer AS count
  FROM (
    SELECT i.chat_id, min(i.received_at) AS since FROM inbound_mails i
    JOIN chats c ON c.organization_id = $1 AND c.id = i.chat_id AND c.status = 'ACTIVE' AND c.agent_id IS NULL
    WHERE i.organization_id = $1 AND i.status = 'TO_CHECK' GROUP BY i.chat_id LIMIT ${MAX_COUNT}
  ) waiting
  HAVING count(*) > 0`;

/** Whether mails wait for someone's decision in chats that a bot has: at most one row. */
export async function findMailsToCheck(pool: Pool, organizationId: string): Promise<Trouble[]> {
  return (await pool.query<Trouble>({ name: 'health-mails-to-check', text: TO_CHECK, values: [organizationId] })).rows;
}
