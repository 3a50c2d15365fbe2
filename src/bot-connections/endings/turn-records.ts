import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from 'typeorm';
import { afterCommit } from '../../platform/database/transaction.js';
import { newId } from '../../platform/lib/ids.js';
import type { Reply } from '../model/conversation.js';
import { limited } from '../model/transcript.js';
import { type FailureCode, RunFailure, type TurnStatus } from '../model/turn.js';
import { type Run, sumOf } from '../turns/run.js';
import { addToTurn, endRun, type RunEnd, type RunRecord } from '../turns/runs.queries.js';
import { beginRun, endTurn, type LockedTurn, waitForRun } from '../turns/take.queries.js';
import { addUsage, type UsageChange } from '../turns/usage.queries.js';
import { TurnMetrics } from '../turns/turn-metrics.js';
import { findTranscript, storeTranscript } from '../turns/transcripts.queries.js';
import { firstTokenOf, isTooOld, transcriptAfter } from './ending-rules.js';
import type { Stored } from './reply-storage.js';

/** The most steps of a turn. */
const MAX_STEPS = 8;

/** How a turn goes on. */
export type Next = { status: TurnStatus } | { nextRunId: string };

/** Records what became of a locked turn and its run. */
@Injectable()
export class TurnRecords {
  constructor(private readonly metrics: TurnMetrics) {}

  /** Ends the run. The turn's next one is of the connection that the bot has by then. */
  async beginAgain(tx: EntityManager, turn: LockedTurn, record: RunRecord): Promise<Next> {
    await waitForRun(tx, turn, { tries: 0, seconds: 0 });
    await this.endRun(tx, turn, { outcome: 'DONE', record });
    return { status: 'WAITING' };
  }

  /** Ends the run, and begins the one of the next step. @throws RunFailure */
  async nextStep(tx: EntityManager, run: Run, turn: LockedTurn, record: RunRecord): Promise<Next> {
    if (turn.step >= MAX_STEPS) throw new RunFailure('too_large', `took more than ${MAX_STEPS} steps`);
    if (isTooOld(turn)) throw new RunFailure('timeout', 'the turn took more than 10 min');
    const nextRunId = newId('run');
    await beginRun(tx, turn, { runId: nextRunId, step: turn.step + 1, tries: 1 });
    await this.endRun(tx, turn, { outcome: 'DONE', record });
    return { nextRunId };
  }

  /** Adds what a reply has brought to the turn, and to the transcript if the bot still has the endpoint. */
  async keep(
    tx: EntityManager,
    run: Run,
    turn: LockedTurn,
    { messageIds, entry, questions }: Stored,
    { reply, record, isSameEndpoint }: { reply: Reply; record: RunRecord; isSameEndpoint: boolean },
  ): Promise<void> {
    const { organizationId, chatId } = run.key;
    const usage = sumOf(turn.usage, record.usage);
    await addToTurn(tx, organizationId, turn.id, { messageIds, usage, firstTokenMs: firstTokenOf(run, record) });
    if (!isSameEndpoint) return;
    const before = await findTranscript(tx, organizationId, chatId, run.connection.id);
    const after = transcriptAfter(before, reply, { entry, questions });
    if (isDeepStrictEqual(before, after)) return;
    const { transcript, isCut } = limited(after);
    if (isCut) record.warnings.push('transcript: the oldest turns are left out');
    await storeTranscript(tx, { organizationId, chatId }, run.connection.id, transcript);
  }

  /** Ends a turn, with its run. */
  async end(
    tx: EntityManager,
    turn: LockedTurn,
    status: TurnStatus,
    end: RunEnd,
    code: FailureCode | null = null,
  ): Promise<Next> {
    const tokens = await this.recordRun(tx, turn, end);
    await endTurn(tx, turn, status, code);
    // A newer message may have ended it already.
    if (turn.status !== 'WAITING' && turn.status !== 'RUNNING') return { status };
    afterCommit(tx, () => this.metrics.onTurnEnded(turn.kind, status));
    const [failed, handedOver] = [Number(status === 'FAILED'), Number(status === 'HANDED_OVER')];
    await addUsage(tx, turn, { ...tokens, turns: 1, failed, handedOver });
    return { status };
  }

  /** Ends the run of a turn, if it has one. */
  async endRun(tx: EntityManager, turn: LockedTurn, end: RunEnd): Promise<void> {
    await addUsage(tx, turn, await this.recordRun(tx, turn, end));
  }

  /** Returns the tokens of the run. */
  private async recordRun(tx: EntityManager, turn: LockedTurn, end: RunEnd): Promise<UsageChange> {
    const hasEnded = turn.runId !== null && (await endRun(tx, turn.organizationId, turn.runId, end));
    if (!hasEnded) return {};
    afterCommit(tx, () => this.metrics.onRunEnded(turn.kind, end));
    const { inputTokens, outputTokens } = end.record?.usage ?? {};
    return { inputTokens, outputTokens };
  }
}
