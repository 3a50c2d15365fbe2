import { getsChatsOf } from '../receivers/deliveries.queries.js';

// A visitor's message is taken when a receiver has its event: a webhook answered 2xx, or a bot acknowledged it. Storing messages
// records nothing for this: it follows from the deliveries. An acknowledged event of a subscription has no row anymore.

/** The most messages of a chat, from the visitor's last one back, that are checked. */
const MAX_MESSAGES = 100;
/** Seconds: messages that waited for this much longer than the limit stay with the bots, so that an upgrade or a restore moves no old chats. */
export const MAX_OVERDUE_SECONDS = 86_400;
/** Why the service gives a chat to agents. Visitors, agents, and webhooks see it as the `reason` of the transfer. */
export const SILENCE_REASONS = ['bot_silent', 'bot_unanswered'] as const;
export type SilenceReason = (typeof SILENCE_REASONS)[number];

/** Whether the bots have the chat `c`, and its visitor waits for an answer. */
export const WAITS_FOR_BOT = `c.status = 'ACTIVE' AND c.agent_id IS NULL AND c.erased_at IS NULL AND c.waiting_since IS NOT NULL`;

/** Whether the receiver `r` asks for messages of visitors. */
export const WANTS_VISITORS = `(r.events IS NULL OR 'message.created' = ANY (r.events))
  AND (r.sender_types IS NULL OR 'VISITOR' = ANY (r.sender_types))`;

// Null: the receiver wasn't asked for the message. A disabled webhook and a suspended subscription get no events, and take none. Nor
// does a bot whose subscription dropped events since then and that doesn't know yet. An enabled webhook without a delivery had
// other filters, or was disabled. The events of a connection are removed when they have become turns, which end by themselves.
const hasTaken = (organizationId: string) => `
  SELECT CASE
      WHEN d.id IS NOT NULL THEN d.outcome IS NOT DISTINCT FROM 'delivered'
      WHEN r.kind = 'CONNECTION' THEN true
      WHEN r.kind = 'SUBSCRIPTION' THEN NOT s.is_resting AND (least(s.gap_since, s.told_gap_since) <= m.created_at) IS NOT TRUE
      WHEN NOT r.is_enabled THEN false
    END AS has_taken
  FROM receivers r
  LEFT JOIN subscriptions s ON s.organization_id = ${organizationId} AND s.bot_id = r.bot_id
  LEFT JOIN LATERAL (
    SELECT o.id, o.outcome FROM deliveries o
    WHERE o.organization_id = ${organizationId} AND o.receiver_id = r.id AND o.id = 'dlv' || substr(m.id, 4) LIMIT 1
  ) d ON true
  WHERE r.organization_id = ${organizationId} AND r.created_at <= m.created_at
    AND (d.id IS NOT NULL OR (${WANTS_VISITORS} AND ${getsChatsOf('g.bot_id')}))`;

// A message gives its chat to agents once, even if they return it to the bots.
const AFTER_HANDOVER = (organizationId: string) => `
  NOT EXISTS (SELECT FROM handoffs h WHERE h.organization_id = ${organizationId} AND h.chat_id = c.id AND h.by_type = 'SYSTEM'
    AND h.reason IN ('${SILENCE_REASONS.join("', '")}') AND h.began_at >= m.created_at)`;

// The visitor's unanswered messages in the chat `c` that aren't too old. An answer that the visitor has stopped isn't waited for.
const unanswered = (organizationId: string, limit: string) => `
  SELECT m.id, m.created_at FROM messages m
  WHERE m.organization_id = ${organizationId} AND m.chat_id = c.id
    AND m.seq > c.last_visitor_seq - ${MAX_MESSAGES} AND m.seq <= c.last_visitor_seq
    AND m.seq > COALESCE(c.stopped_seq, 0) AND m.sender_type = 'VISITOR' AND m.created_at >= c.waiting_since
    AND m.created_at > clock_timestamp() - make_interval(secs => ${limit} + ${MAX_OVERDUE_SECONDS}) OFFSET 0`;

/**
 * SQL: since when the bots of the chat `c`, in the group `g`, leave its visitor without an answer. Null: they don't. A chat that agents
 * returned waits from then on.
 * @param limit seconds until agents get the chat
 */
export const SINCE: Record<SilenceReason, (organizationId: string, limit: string) => string> = {
  bot_silent: (organizationId, limit) => `(
    SELECT greatest(m.created_at, c.status_changed_at) FROM (${unanswered(organizationId, limit)}) m
    WHERE ${WAITS_FOR_BOT} AND (SELECT bool_or(r.has_taken) FROM (${hasTaken(organizationId)}) r) = false
      AND ${AFTER_HANDOVER(organizationId)}
    ORDER BY m.created_at LIMIT 1)`,
  bot_unanswered: (organizationId, limit) => `(
    SELECT greatest(m.created_at, c.status_changed_at) FROM (${unanswered(organizationId, limit)}) m
    WHERE ${WAITS_FOR_BOT} AND ${AFTER_HANDOVER(organizationId)}
    ORDER BY m.created_at LIMIT 1)`,
};
