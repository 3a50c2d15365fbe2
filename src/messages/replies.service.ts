import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { isJsonObject } from '../platform/lib/json.js';
import { invalid } from '../platform/http/problem.js';
import { sha256 } from '../platform/lib/secrets.js';
import { POOL } from '../platform/database/pool.js';
import type { ReplyTo } from './message.js';

// The condition on types is that of ix_messages_offers. Offers of visitors do not count: they could forge what they answer.
const FIND_OFFER = `
  SELECT metadata FROM messages
  WHERE organization_id = $1 AND chat_id = $2 AND id = $3 AND type IN ('QUICK_REPLY', 'BUTTON')
    AND sender_type IN ('BOT', 'AGENT')`;

/** Characters of the hash that distinguishes the answers to one message. */
const HASH_LENGTH = 16;

/** Answers to the options of a QUICK_REPLY or a BUTTON. */
@Injectable()
export class RepliesService {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** @throws Problem validation_failed unless a bot or an agent offered that value in that message of that very chat (CONTRACT section 3) */
  async check(organizationId: string, chatId: string, { messageId, value }: ReplyTo): Promise<void> {
    const query = { name: 'find-offer', text: FIND_OFFER, values: [organizationId, chatId, messageId] };
    const { rows } = await this.pool.query<{ metadata: unknown }>(query);
    if (!rows[0])
      throw invalid('/replyTo/messageId', 'must be a QUICK_REPLY or BUTTON of a bot or an agent in this chat');
    if (!offers(rows[0].metadata, value)) throw invalid('/replyTo/value', 'is none of the values it offered');
  }
}

/** The clientMessageId of an answer without one: the same answer to the same message is stored once. */
export function nameReply({ messageId, value }: ReplyTo): string {
  return `reply_${messageId}_${sha256(value).toString('base64url').slice(0, HASH_LENGTH)}`;
}

function offers(metadata: unknown, value: string): boolean {
  const options = isJsonObject(metadata) ? metadata.options : undefined;
  return Array.isArray(options) && options.some((option) => isJsonObject(option) && option.value === value);
}
