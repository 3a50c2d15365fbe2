import type { EntityManager } from 'typeorm';
import type { BotRun } from '../model/bot-run.entity.js';
import type { BotTurn } from '../model/bot-turn.entity.js';
import type { TurnStatus } from '../model/turn.js';

/** A run, as administrators read it. */
export type RunRow = Omit<BotRun, 'organizationId' | 'turnId' | 'turn' | 'startedAt' | 'warnings'> & {
  startedAt: string;
  warnings: string[];
};

/** A turn with its runs. */
export type TurnRow = Pick<
  BotTurn,
  | 'id'
  | 'chatId'
  | 'status'
  | 'code'
  | 'firstSeq'
  | 'lastSeq'
  | 'messageIds'
  | 'createdAt'
  | 'endedAt'
  | 'firstTokenMs'
  | 'usage'
> & { runs: RunRow[] };

export interface TurnFilter {
  chatId?: string;
  status?: TurnStatus;
  from?: Date;
  to?: Date;
  /** Only turns before this id. */
  before?: string;
  limit: number;
}

const COLUMNS = `
  t.id, t.chat_id AS "chatId", t.status, t.code, t.first_seq AS "firstSeq", t.last_seq AS "lastSeq", t.message_ids AS "messageIds",
  t.created_at AS "createdAt", t.ended_at AS "endedAt", t.first_token_ms AS "firstTokenMs", t.usage,
  (SELECT COALESCE(json_agg(json_build_object('id', r.id, 'step', r.step, 'try', r.try, 'outcome', r.outcome, 'code', r.code,
      'detail', r.detail, 'httpStatus', r.http_status, 'protocolVersion', r.protocol_version, 'startedAt', r.started_at,
      'durationMs', r.duration_ms, 'firstTokenMs', r.first_token_ms, 'bytes', r.bytes, 'usage', r.usage,
      'warnings', COALESCE(r.warnings, '[]')) ORDER BY r.id), '[]')
    FROM bot_runs r WHERE r.organization_id = $1 AND r.turn_id = t.id) AS runs`;
const IS_WANTED = `
  t.organization_id = $1 AND t.bot_id = $2 AND ($3::text IS NULL OR t.chat_id = $3) AND ($4::text IS NULL OR t.status = $4)
  AND ($5::timestamptz IS NULL OR t.created_at >= $5) AND ($6::timestamptz IS NULL OR t.created_at < $6)
  AND ($7::text IS NULL OR t.id < $7)`;
const LIST = `SELECT ${COLUMNS} FROM bot_turns t WHERE ${IS_WANTED} ORDER BY t.id DESC LIMIT $8`;

/** The turns of a bot, newest first. */
export function listTurns(
  manager: EntityManager,
  organizationId: string,
  botId: string,
  { chatId, status, from, to, before, limit }: TurnFilter,
): Promise<TurnRow[]> {
  return manager.query(LIST, [organizationId, botId, chatId, status, from, to, before, limit]);
}

const FIND = `SELECT ${COLUMNS} FROM bot_turns t WHERE t.organization_id = $1 AND t.bot_id = $2 AND t.id = $3`;

export async function findTurnOfBot(
  manager: EntityManager,
  organizationId: string,
  botId: string,
  id: string,
): Promise<TurnRow | null> {
  const [row]: TurnRow[] = await manager.query(FIND, [organizationId, botId, id]);
  return row ?? null;
}
