import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { invalid, Problem } from '../platform/errors/problem.js';
import { sha256 } from '../platform/lib/secrets.js';
import { POOL } from '../platform/database/pool.js';
import type { ReplyTo } from './message.js';
import { findAnswersFault } from '../platform/validation/form.js';
import { formOf, offers } from './offers/offers.js';

// The condition on types matches ix_messages_offers. Visitors' own choices don't count, so that they can't forge what they answer.
const FIND_CHOICES = `
  SELECT metadata FROM messages
  WHERE organization_id = $1 AND chat_id = $2 AND id = $3 AND type IN ('QUICK_REPLY', 'BUTTON')
    AND sender_type IN ('BOT', 'AGENT')`;

/** How many of the newest choices are compared: ids sort by the nodes' clocks, which may differ slightly. */
const MAX_COMPARED = 20;

// Reads only the chat's messages with choices: the visitor's newest message is a column of the chat.
const IS_OVER = `
  SELECT o.seq < c.last_visitor_seq OR o.seq < (
    SELECT max(seq) FROM (
      SELECT m.seq FROM messages m
      WHERE m.organization_id = $1 AND m.chat_id = $2 AND m.type IN ('QUICK_REPLY', 'BUTTON')
        AND m.sender_type IN ('BOT', 'AGENT') AND m.deleted_at IS NULL
      ORDER BY m.id DESC LIMIT ${MAX_COMPARED}) newest) AS "isOver"
  FROM messages o JOIN chats c ON c.organization_id = o.organization_id AND c.id = o.chat_id
  WHERE o.organization_id = $1 AND o.chat_id = $2 AND o.id = $3`;

/** The length of the hash that distinguishes the answers to one message. */
const HASH_CHARACTERS = 16;

/** Checks answers to the choices of a QUICK_REPLY or a BUTTON. */
@Injectable()
export class ChoicesService {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /**
   * Checks an answer to a bot's or an agent's message in this chat: one of its values, and of a form the answers to its fields.
   * @param metadata of the answer
   * @throws Problem validation_failed (CONTRACT: Messages)
   */
  async check(
    organizationId: string,
    chatId: string,
    { messageId, value }: ReplyTo,
    metadata: Record<string, unknown> | undefined,
  ): Promise<void> {
    const query = { name: 'find-offer', text: FIND_CHOICES, values: [organizationId, chatId, messageId] };
    const { rows } = await this.pool.query<{ metadata: unknown }>(query);
    if (!rows[0])
      throw invalid(
        '/replyTo/messageId',
        'must be the ID of a QUICK_REPLY or BUTTON message from a bot or an agent in this chat',
      );
    const offered = rows[0].metadata;
    if (!offers(offered, value)) throw invalid('/replyTo/value', 'must be one of the values that the message offers');
    const fields = formOf(offered);
    const fault = fields && findAnswersFault(fields, metadata?.answers);
    if (!fault) return;
    const [pointer, ...detail] = fault.split(' ');
    throw invalid(`/metadata/answers${pointer}`, detail.join(' '));
  }

  /**
   * Checks that a message's choices are still open, in the transaction that has locked its chat. Later choices of a bot or an
   * agent end them, and so does any later message of the visitor (ADR 19). @throws Problem offer_over
   */
  async checkOpen(tx: EntityManager, organizationId: string, chatId: string, { messageId }: ReplyTo): Promise<void> {
    const [row]: { isOver: boolean | null }[] = await tx.query(IS_OVER, [organizationId, chatId, messageId]);
    if (row?.isOver)
      throw new Problem(
        'offer_over',
        'A newer message has replaced these choices; answer the newest ones, or send a message without replyTo',
      );
  }
}

/** The clientMessageId of an answer without one, so that the same answer to the same message is stored once. */
export function clientMessageIdOf({ messageId, value }: ReplyTo): string {
  return `reply_${messageId}_${sha256(value).toString('base64url').slice(0, HASH_CHARACTERS)}`;
}
