import type { EntityManager } from 'typeorm';
import type { BotUsage } from '../model/bot-usage.entity.js';

export type UsageDay = Pick<BotUsage, 'day' | 'turns' | 'failed' | 'handedOver' | 'inputTokens' | 'outputTokens'>;

/** What is added to the usage of today. */
export type UsageChange = Partial<Omit<UsageDay, 'day'>>;

interface BotKey {
  organizationId: string;
  botId: string;
}

const ADD = `
  INSERT INTO bot_usage AS u (organization_id, bot_id, day, turns, failed, handed_over, input_tokens, output_tokens, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (organization_id, bot_id, day) DO UPDATE
  SET turns = u.turns + excluded.turns, failed = u.failed + excluded.failed, handed_over = u.handed_over + excluded.handed_over,
    input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens`;

/** Adds to the usage of today. Call it last in a transaction: all turns of the bot write the row. */
export async function addUsage(
  tx: EntityManager,
  { organizationId, botId }: BotKey,
  { turns = 0, failed = 0, handedOver = 0, inputTokens = 0, outputTokens = 0 }: UsageChange,
): Promise<void> {
  if (turns + inputTokens + outputTokens === 0) return;
  const now = new Date();
  const values = [turns, failed, handedOver, inputTokens, outputTokens];
  await tx.query(ADD, [organizationId, botId, dayOf(now), ...values, now]);
}

const TOKENS = `
  SELECT (input_tokens + output_tokens)::float8 AS tokens FROM bot_usage WHERE organization_id = $1 AND bot_id = $2 AND day = $3`;

/** The tokens that a bot has used today. */
export async function findTokensOfToday(tx: EntityManager, { organizationId, botId }: BotKey): Promise<number> {
  const [row]: { tokens: number }[] = await tx.query(TOKENS, [organizationId, botId, dayOf(new Date())]);
  return row?.tokens ?? 0;
}

const LIST = `
  SELECT day, turns, failed, handed_over AS "handedOver", input_tokens::float8 AS "inputTokens", output_tokens::float8 AS "outputTokens"
  FROM bot_usage WHERE organization_id = $1 AND bot_id = $2 AND ($3::text IS NULL OR day >= $3) AND ($4::text IS NULL OR day <= $4)
  ORDER BY day`;

/** A bot's days with turns, oldest first. */
export function listUsage(
  manager: EntityManager,
  { organizationId, botId }: BotKey,
  { from, to }: { from?: string; to?: string },
): Promise<UsageDay[]> {
  return manager.query(LIST, [organizationId, botId, from, to]);
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
