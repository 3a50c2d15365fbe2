import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import type { FailureCode, RunFailure, RunOutcome, Usage } from '../model/turn.js';

/** What's recorded of a run. */
export interface RunRecord {
  httpStatus: number | null;
  durationMs: number;
  firstTokenMs: number | null;
  bytes: number;
  protocolVersion: string | null;
  usage: Usage | null;
  warnings: string[];
}

export interface RunEnd {
  outcome: RunOutcome;
  code?: FailureCode;
  detail?: string;
  /** Null for the run of a lost node. */
  record: RunRecord | null;
}

const END = `
  UPDATE bot_runs SET outcome = $3, code = $4, detail = $5, http_status = $6, first_token_ms = $8, bytes = $9, usage = $10, warnings = $11, protocol_version = $13,
    duration_ms = COALESCE($7::integer, (extract(epoch FROM $12::timestamptz - started_at) * 1000)::integer)
  WHERE organization_id = $1 AND id = $2 AND outcome IS NULL`;

/** Records the end of a run. Returns false if its end was recorded before. */
export async function endRun(
  tx: EntityManager,
  organizationId: string,
  runId: string,
  { outcome, code, detail, record }: RunEnd,
): Promise<boolean> {
  const { httpStatus, durationMs, firstTokenMs, bytes, usage, warnings, protocolVersion } =
    record ?? ({} as Partial<RunRecord>);
  const json = (value: unknown) => (value ? JSON.stringify(value) : null);
  const values = [outcome, code, detail, httpStatus, durationMs, firstTokenMs, bytes, json(usage), json(warnings)];
  const [, count] = (await tx.query(END, [organizationId, runId, ...values, new Date(), protocolVersion])) as [
    unknown,
    number,
  ];
  return count > 0;
}

const ADD = `
  UPDATE bot_turns SET message_ids = message_ids || $3::text[], usage = $4, first_token_ms = COALESCE(first_token_ms, $5::integer)
  WHERE organization_id = $1 AND id = $2`;

/** Adds what a run has brought to its locked turn. */
export async function addToTurn(
  tx: EntityManager,
  organizationId: string,
  id: string,
  { messageIds, usage, firstTokenMs }: { messageIds: string[]; usage: Usage | null; firstTokenMs: number | null },
): Promise<void> {
  await tx.query(ADD, [organizationId, id, messageIds, usage && JSON.stringify(usage), firstTokenMs]);
}

const SUCCESS = `
  UPDATE bot_connections SET last_success_at = statement_timestamp(), failures_in_row = 0
  WHERE organization_id = $1 AND bot_id = $2
    AND (failures_in_row > 0 OR last_success_at IS NULL OR last_failure_at > last_success_at
      OR last_success_at < statement_timestamp() - interval '10 s')`;
const FAILURE = `
  UPDATE bot_connections SET last_failure_at = statement_timestamp(), last_failure_code = $3, failures_in_row = CASE WHEN $4 THEN failures_in_row + 1 ELSE 0 END
  WHERE organization_id = $1 AND bot_id = $2`;

/**
 * Records how a turn of a connection ended. A success is recorded once in 10 s. Only failures that say that the endpoint is down count in a
 * row.
 */
export async function recordHealth(
  pool: Pool,
  { organizationId, botId }: { organizationId: string; botId: string },
  failure: RunFailure | null,
): Promise<void> {
  const query =
    failure === null
      ? { name: 'connection-succeeded', text: SUCCESS, values: [organizationId, botId] }
      : {
          name: 'connection-failed',
          text: FAILURE,
          values: [organizationId, botId, failure.code, failure.isOfEndpoint],
        };
  await pool.query(query);
}
