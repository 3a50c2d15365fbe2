import { DEFAULT_FAILURE_REASON, type ConnectionSettings, type FailureSettings } from '../model/connection.js';
import type { Reply } from '../model/conversation.js';
import type { RunFailure } from '../model/turn.js';
import type { Run } from '../turns/run.js';
import { afterSnapshot, type Transcript, type TranscriptEntry } from '../model/transcript.js';
import type { TurnStatus } from '../model/turn.js';
import { isStorable } from '../../platform/lib/json.js';
import type { Stored } from './reply-storage.js';
import type { RunEnd, RunRecord } from '../turns/runs.queries.js';
import type { LockedTurn } from '../turns/take.queries.js';

/** The longest turn in milliseconds. */
const MAX_TURN_MS = 10 * 60 * 1000;
/** Seconds until the second and the third run of a step. */
const RETRY_SECONDS = [1, 5];

/** The group that gets the chat if the reply hands it over; null: the default group. */
export function wishedGroup({ calls, handOver }: Reply, { targetGroupId }: ConnectionSettings): string | null {
  if (handOver) return handOver.groupId ?? targetGroupId;
  for (const { name, arguments: json } of calls) {
    if (name === 'hand_over') return groupIn(json) ?? targetGroupId;
  }
  return targetGroupId;
}

function groupIn(json: string): string | null {
  try {
    const { groupId } = JSON.parse(json) as { groupId?: unknown };
    return typeof groupId === 'string' && isStorable(groupId) ? groupId : null;
  } catch {
    return null;
  }
}

export function reasonOf(failure: FailureSettings | null): string {
  return failure?.reason ?? DEFAULT_FAILURE_REASON;
}

export function isEmpty({ messages, calls, handOver, interrupts = [], ...rest }: Reply): boolean {
  const hasNone = messages.length + calls.length + interrupts.length === 0;
  return hasNone && handOver === null && !rest.isCancelled && !rest.offer && !rest.isClosing;
}

export function isTooOld({ beganAt }: LockedTurn): boolean {
  return beganAt !== null && Date.now() - beganAt.getTime() > MAX_TURN_MS;
}

export function failedEnd(failure: RunFailure, run: Run | null): RunEnd {
  const record = run?.record() ?? null;
  return { outcome: run ? 'FAILED' : 'LOST', code: failure.code, detail: failure.message, record };
}

// Milliseconds from the beginning of the turn, so that its earlier runs count too. Null if the run had no text.
export function firstTokenOf({ turn }: Run, { firstTokenMs, durationMs }: RunRecord): number | null {
  if (firstTokenMs === null) return null;
  const begun = turn.beganAt?.getTime() ?? Date.now() - durationMs;
  return Math.max(0, Math.round(Date.now() - durationMs + firstTokenMs - begun));
}

/** Whether this run may end the turn; without a run, whether no node has it. */
export function isOpenTo(turn: LockedTurn, run: Run | null): boolean {
  if (run !== null) return turn.status === 'RUNNING' && turn.runId === run.id;
  return turn.status === 'WAITING' || turn.isLost;
}

/** Seconds until the next run of the step. */
export function retrySeconds({ retryAfter }: RunFailure, { tries }: LockedTurn): number {
  return retryAfter ?? RETRY_SECONDS[tries - 1] ?? 0;
}

/** How a turn ends with a reply. */
export function statusOf({ handOver, questions }: Stored, { isCancelled }: Reply): TurnStatus {
  if (handOver) return 'HANDED_OVER';
  if (questions) return 'INTERRUPTED';
  return isCancelled ? 'CANCELLED' : 'DONE';
}

/** How a run ends with a reply. */
export function outcomeOf({ questions }: Stored, { isCancelled, lateError }: Reply, record: RunRecord): RunEnd {
  if (lateError) return { outcome: 'FAILED', code: lateError.code, detail: lateError.message.slice(0, 300), record };
  if (questions) return { outcome: 'INTERRUPTED', record };
  return { outcome: isCancelled ? 'CANCELLED' : 'DONE', record };
}

/** The transcript after a run. Earlier questions are removed from it, because the run has had the answers. */
export function transcriptAfter(
  before: Transcript,
  { remoteId = null, state, snapshot, lateError }: Reply,
  { entry, questions }: Pick<Stored, 'entry' | 'questions'>,
): Transcript {
  // A run that has failed leaves no state.
  const isFailed = Boolean(lateError);
  const base = snapshot && !isFailed ? afterSnapshot(before, snapshot) : before;
  return {
    ...base,
    entries: entry ? [...base.entries, entry] : base.entries,
    ...(remoteId !== null && { remoteId }),
    ...(state !== undefined && !isFailed && { state }),
    ...((questions ?? before.questions) && { questions }),
  };
}

/** Adds messages to the last entry of a transcript, which then stands for them too. */
export function withMessages(entries: readonly TranscriptEntry[], messageIds: readonly string[]): TranscriptEntry[] {
  return entries.map((entry, at) =>
    at < entries.length - 1 ? entry : { ...entry, messageIds: [...entry.messageIds, ...messageIds] },
  );
}
