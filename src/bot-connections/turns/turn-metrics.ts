import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { sqlIsOfExisting } from '../../organizations/organization-deletion.queries.js';
import { POOL } from '../../platform/database/pool.js';
import { countedGauges } from '../../platform/telemetry/counted-gauges.js';
import { type Counter, type Family, type Histogram, Metrics } from '../../platform/telemetry/metrics.js';
import { CONNECTION_KINDS, type ConnectionKind, TOOLS } from '../model/connection.js';
import { RUN_OUTCOMES, type TurnStatus, TURN_STATUSES } from '../model/turn.js';
import type { RunEnd } from './runs.queries.js';

/** The most waiting turns that are counted. A higher number says nothing new. */
const MAX_COUNTED = 1_000;
// Turns behind the running one of their chat wait for it, not for a node.
const COUNT = `
  SELECT count(*)::float8 AS waiting, COALESCE(extract(epoch FROM now() - min(due_at)), 0)::float8 AS oldest
  FROM (SELECT t.due_at FROM bot_turns t WHERE t.status = 'WAITING' AND t.due_at <= now() AND ${sqlIsOfExisting('t')}
    AND NOT EXISTS (SELECT FROM bot_turns r WHERE r.organization_id = t.organization_id AND r.chat_id = t.chat_id AND r.status = 'RUNNING')
    ORDER BY t.due_at LIMIT ${MAX_COUNTED}) AS due`;
/** Histogram buckets up to the longest run, in seconds. */
const BUCKETS_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300];
/** The kind of a turn whose connection was deleted. */
const DELETED = 'deleted';
const OTHER = 'other';
const TOOL_OUTCOMES = ['done', 'error', 'not_executed'] as const;
/** The words that warnings begin with. What follows them may be an endpoint's text, so it must not become a label. */
const WARNING_REASONS: ReadonlySet<string> = new Set([
  'event',
  'length',
  'outcome',
  'protocolVersion',
  'state',
  'transcript',
  'MESSAGES_SNAPSHOT',
  'REASONING_ENCRYPTED_VALUE',
  'RUN_STARTED',
  'STATE_DELTA',
]);

/** The metrics of the turns and runs of connected bots (CONTRACT: Records). */
@Injectable()
export class TurnMetrics {
  private readonly runs: Family<Counter>;
  private readonly durations: Family<Histogram>;
  private readonly firstTokens: Family<Histogram>;
  private readonly turns: Family<Counter>;
  private readonly calls: Family<Counter>;
  private readonly tokens: Family<Counter>;
  private readonly warnings: Family<Counter>;

  constructor(metrics: Metrics, @Inject(POOL) pool: Pool) {
    this.runs = metrics.counters('parley_bot_runs_total');
    this.durations = metrics.histograms('parley_bot_run_duration_seconds', BUCKETS_SECONDS);
    this.firstTokens = metrics.histograms('parley_bot_first_token_seconds', BUCKETS_SECONDS);
    this.turns = metrics.counters('parley_bot_connection_turns_total');
    this.calls = metrics.counters('parley_bot_tool_calls_total');
    this.tokens = metrics.counters('parley_bot_tokens_total');
    this.warnings = metrics.counters('parley_bot_warnings_total');
    for (const kind of CONNECTION_KINDS) this.createOf(kind);
    for (const tool of [...TOOLS, OTHER]) for (const outcome of TOOL_OUTCOMES) this.calls(tool, outcome);
    const counted = countedGauges<{ waiting: number; oldest: number }>(pool, metrics, 'bot_turns', COUNT);
    metrics.gauge('parley_bot_turns_waiting', counted('waiting'));
    metrics.gauge('parley_bot_turns_oldest_seconds', counted('oldest'));
  }

  onRunEnded(of: ConnectionKind | null, { outcome, record }: RunEnd): void {
    const kind = of ?? DELETED;
    this.runs(kind, outcome).add();
    if (!record) return;
    const { durationMs, firstTokenMs, usage, warnings } = record;
    this.durations(kind).observe(durationMs / 1000);
    if (firstTokenMs !== null) this.firstTokens(kind).observe(firstTokenMs / 1000);
    this.tokens(kind, 'input').add(usage?.inputTokens ?? 0);
    this.tokens(kind, 'output').add(usage?.outputTokens ?? 0);
    for (const warning of warnings) this.warnings(kind, reasonOf(warning)).add();
  }

  onTurnEnded(kind: ConnectionKind | null, status: TurnStatus): void {
    this.turns(kind ?? DELETED, status).add();
  }

  /** Call this when a newer message has aborted turns and their runs. */
  onAborted(kind: ConnectionKind, { turns, runs }: { turns: number; runs: number }): void {
    this.turns(kind, 'ABORTED').add(turns);
    this.runs(kind, 'ABORTED').add(runs);
  }

  /** @param name as the endpoint gave it */
  onToolCall(name: string, outcome: (typeof TOOL_OUTCOMES)[number]): void {
    const tool = TOOLS.find((known) => known === name) ?? OTHER;
    this.calls(tool, outcome).add();
  }

  private createOf(kind: ConnectionKind): void {
    for (const outcome of RUN_OUTCOMES) this.runs(kind, outcome);
    for (const status of TURN_STATUSES) if (status !== 'WAITING' && status !== 'RUNNING') this.turns(kind, status);
    this.durations(kind);
    this.firstTokens(kind);
    for (const direction of ['input', 'output']) this.tokens(kind, direction);
    this.warnings(kind, OTHER);
  }
}

function reasonOf(warning: string): string {
  const word = warning.slice(0, 50).split(/[ :]/, 1)[0]!;
  return WARNING_REASONS.has(word) ? word : OTHER;
}
