import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { type IsOf, queryEverywhere } from '../../platform/database/citus/per-organization.js';

const INSERT = `
  INSERT INTO visitor_links (organization_id, token_hash, chat_id, visitor_id, email, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (organization_id, token_hash) DO UPDATE SET visitor_id = excluded.visitor_id`;

/** A link, by its token's hash. */
export interface NewVisitorLink {
  organizationId: string;
  tokenHash: string;
  chatId: string;
  visitorId: string;
  email: string;
  expiresAt: Date;
}

/** Stores a link. One that an earlier try of its mail stored is for this visitor from now on: the chat may have moved since. */
export async function insertVisitorLink(manager: EntityManager, link: NewVisitorLink): Promise<void> {
  const { organizationId, tokenHash, chatId, visitorId, email, expiresAt } = link;
  await manager.query(INSERT, [organizationId, tokenHash, chatId, visitorId, email, expiresAt]);
}

/** Where a link leads. */
export interface LinkedChat {
  organizationId: string;
  tokenHash: string;
  chatId: string;
  visitorId: string;
  email: string;
  visitorName: string | null;
  organizationName: string;
  widgetKey: string;
  allowedOrigins: string[];
  startedAt: Date;
}

const find = (isOf: IsOf) => `
  SELECT l.organization_id AS "organizationId", l.token_hash AS "tokenHash", l.chat_id AS "chatId", l.visitor_id AS "visitorId", l.email,
    v.name AS "visitorName", o.name AS "organizationName", o.widget_key AS "widgetKey", o.allowed_origins AS "allowedOrigins", c.created_at AS "startedAt"
  FROM visitor_links l
  JOIN organizations o ON o.id = l.organization_id AND o.deleted_at IS NULL
  JOIN chats c ON c.organization_id = l.organization_id AND c.id = l.chat_id AND c.erased_at IS NULL
  JOIN visitors v ON v.organization_id = l.organization_id AND v.id = l.visitor_id AND v.email = l.email AND v.erasing_since IS NULL
  WHERE l.token_hash = $1 AND l.expires_at > $2 AND c.visitor_id = l.visitor_id AND ${isOf('l')}`;

/** Null: the link is unknown or has ended, or the visitor has another address than the one that it was mailed to. */
export async function findVisitorLink(pool: Pool, tokenHash: string, now: Date): Promise<LinkedChat | null> {
  const query = { name: 'find-visitor-link', text: find, values: [tokenHash, now] };
  return (await queryEverywhere<LinkedChat & Record<string, unknown>>(pool, query))[0] ?? null;
}

const END = 'DELETE FROM visitor_links WHERE organization_id = $1 AND token_hash = $2 RETURNING token_hash';

/** Ends a link. Returns false if another request has ended it. */
export async function endVisitorLink(
  tx: EntityManager,
  { organizationId, tokenHash }: Pick<LinkedChat, 'organizationId' | 'tokenHash'>,
): Promise<boolean> {
  const [, count]: [unknown, number] = await tx.query(END, [organizationId, tokenHash]);
  return count > 0;
}

const END_OF_VISITOR = 'DELETE FROM visitor_links WHERE organization_id = $1 AND visitor_id = $2 AND email = $3';

/** Ends all links that were mailed to a visitor's address. */
export async function endLinksOfAddress(
  tx: EntityManager,
  { organizationId, visitorId, email }: Pick<LinkedChat, 'organizationId' | 'visitorId' | 'email'>,
): Promise<void> {
  await tx.query(END_OF_VISITOR, [organizationId, visitorId, email]);
}

const VERIFY = `
  UPDATE visitors SET verified_email = email WHERE organization_id = $1 AND id = $2 AND email = $3`;

/** Marks the visitor's address as verified. Returns false if they have another one. */
export async function verifyEmail(
  tx: EntityManager,
  { organizationId, visitorId, email }: Pick<LinkedChat, 'organizationId' | 'visitorId' | 'email'>,
): Promise<boolean> {
  const [, count]: [unknown, number] = await tx.query(VERIFY, [organizationId, visitorId, email]);
  return count > 0;
}

const REMOVE_EMAIL = `
  UPDATE visitors SET email = NULL, verified_email = NULL
  WHERE organization_id = $1 AND id = $2 AND email = $3 AND external_id IS NULL RETURNING id`;

/** Removes the address from an anonymous visitor. Returns false if it isn't theirs, or is signed. */
export async function removeEmail(
  tx: EntityManager,
  { organizationId, visitorId, email }: Pick<LinkedChat, 'organizationId' | 'visitorId' | 'email'>,
): Promise<boolean> {
  const [, count]: [unknown, number] = await tx.query(REMOVE_EMAIL, [organizationId, visitorId, email]);
  return count > 0;
}
