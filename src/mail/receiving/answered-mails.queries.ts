import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { type IsOf, queryEverywhere } from '../../platform/database/citus/per-organization.js';
import { IS_VERIFIED } from '../model/verified.js';
import { isInForce } from '../../visitors/visitor-blocks.queries.js';

/** A mail of ours that someone answers or a server returns, with the chat that it's about. */
export interface AnsweredMail {
  organizationId: string;
  mailId: string;
  token: string;
  /** The address that it went to. */
  recipient: string;
  /** Null: it's about no chat, or went to an agent. */
  chatId: string | null;
  visitorId: string | null;
  visitorName: string | null;
  /** The visitor's address now. */
  email: string | null;
  isVerified: boolean;
  isBlocked: boolean;
  /** Whether the visitor was erased, or is being erased. */
  isErased: boolean;
  /** Whether visitors may send files. */
  takesFiles: boolean;
}

const find = (isOf: IsOf) => `
  SELECT m.organization_id AS "organizationId", m.id AS "mailId", m.token, m.recipient, c.id AS "chatId",
    c.visitor_id AS "visitorId", v.name AS "visitorName", v.email,
    ${IS_VERIFIED} AS "isVerified",
    b.visitor_id IS NOT NULL AS "isBlocked",
    c.id IS NOT NULL AND (v.id IS NULL OR v.erasing_since IS NOT NULL OR c.erased_at IS NOT NULL) AS "isErased",
    o.visitor_uploads AS "takesFiles"
  FROM mails m
  JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL
  LEFT JOIN chats c ON c.organization_id = m.organization_id AND c.id = m.chat_id AND m.visitor_id IS NOT NULL
  LEFT JOIN visitors v ON v.organization_id = m.organization_id AND v.id = c.visitor_id
  LEFT JOIN visitor_blocks b ON b.organization_id = m.organization_id AND b.visitor_id = c.visitor_id AND ${isInForce('b')}
  WHERE m.token = ANY ($1) AND ${isOf('m')}`;

/** The mail of the first of these tokens that's known; null: none is. */
export async function findAnswered(pool: Pool, tokens: readonly string[]): Promise<AnsweredMail | null> {
  const query = { name: 'find-answered-mail', text: find, values: [tokens] };
  const found = await queryEverywhere<AnsweredMail & Record<string, unknown>>(pool, query);
  return found.toSorted((a, b) => tokens.indexOf(a.token) - tokens.indexOf(b.token))[0] ?? null;
}

const IS_STILL_OWN = `
  SELECT v.id FROM visitors v
  LEFT JOIN visitor_blocks b ON b.organization_id = $1 AND b.visitor_id = v.id AND ${isInForce('b')}
  WHERE v.organization_id = $1 AND v.id = $2 AND v.email = $3 AND v.erasing_since IS NULL AND b.visitor_id IS NULL
    AND (v.signed_at IS NOT NULL OR v.verified_email = v.email)`;

/** Whether the visitor still has the address that was found, it's verified, and the visitor is neither blocked nor being erased. */
export async function isStillOwn(tx: EntityManager, answered: AnsweredMail): Promise<boolean> {
  const { organizationId, visitorId, email } = answered;
  const rows: unknown[] = await tx.query(IS_STILL_OWN, [organizationId, visitorId, email]);
  return rows.length > 0;
}

const TEXTS = `
  SELECT m.content FROM mails m
  WHERE m.organization_id = $1 AND m.chat_id = $2 AND m.visitor_id IS NOT NULL AND m.content IS NOT NULL ORDER BY m.id DESC LIMIT $3`;
const MESSAGES = `
  SELECT m.content FROM messages m
  WHERE m.organization_id = $1 AND m.chat_id = $2 AND m.sender_type IN ('AGENT', 'BOT') AND m.deleted_at IS NULL
  ORDER BY m.seq DESC LIMIT $3`;

/** What an answer may quote: the newest mails of a chat, or once their texts were removed, its newest messages as one text. */
export async function readQuotable(
  manager: EntityManager,
  { organizationId, chatId }: { organizationId: string; chatId: string },
  most: { mails: number; messages: number },
): Promise<string[]> {
  const read = async (text: string, limit: number) => {
    const rows: { content: string }[] = await manager.query(text, [organizationId, chatId, limit]);
    return rows.map(({ content }) => content);
  };
  const mails = await read(TEXTS, most.mails);
  return mails.length > 0 ? mails : [(await read(MESSAGES, most.messages)).toReversed().join('\n\n')];
}
