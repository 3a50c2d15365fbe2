/** The states of a turn (CONTRACT: Bots by address). All but the first two are final. */
export const TURN_STATUSES = [
  'WAITING',
  'RUNNING',
  'DONE',
  'HANDED_OVER',
  'INTERRUPTED',
  'CANCELLED',
  'ABORTED',
  'FAILED',
] as const;
export type TurnStatus = (typeof TURN_STATUSES)[number];

export const RUN_OUTCOMES = ['DONE', 'FAILED', 'ABORTED', 'CANCELLED', 'INTERRUPTED', 'GIVEN_BACK', 'LOST'] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

/** Why a run or a turn has failed. */
export const FAILURE_CODES = [
  'unreachable',
  'timeout',
  'truncated',
  'status',
  'endpoint_error',
  'protocol',
  'empty',
  'refused_address',
  'redirect',
  'content_type',
  'too_large',
  'filtered',
  'unsupported',
  'busy',
  'limit',
  'budget',
] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

/** Tokens, as the endpoint reports them. Absent isn't zero. */
export interface Usage {
  inputTokens?: number;
  outputTokens?: number;
  cachedInputTokens?: number;
  reasoningTokens?: number;
}

const FINAL: ReadonlySet<FailureCode> = new Set([
  'refused_address',
  'redirect',
  'content_type',
  'too_large',
  'filtered',
  'unsupported',
  'busy',
  'limit',
  'budget',
]);
/** Besides 5xx, the statuses that lead to another run. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);
/** The most seconds that an endpoint may ask to wait. If it asks for more, the step isn't tried again. */
const MAX_RETRY_AFTER_SECONDS = 30;

/** A run has failed. The message is the detail that administrators read. */
export class RunFailure extends Error {
  constructor(
    readonly code: FailureCode,
    detail: string,
    readonly httpStatus: number | null = null,
    /** Seconds that the endpoint asks to wait. */
    readonly retryAfter: number | null = null,
  ) {
    super(detail);
  }

  /** Whether another run may succeed. */
  get isPassing(): boolean {
    if (FINAL.has(this.code) || (this.retryAfter ?? 0) > MAX_RETRY_AFTER_SECONDS) return false;
    if (this.code !== 'status') return true;
    const status = this.httpStatus ?? 0;
    return status >= 500 || PASSING_STATUSES.has(status);
  }

  /** Whether it says that the endpoint is down. */
  get isOfEndpoint(): boolean {
    if (this.code === 'status') return (this.httpStatus ?? 0) >= 500;
    return this.code === 'unreachable' || this.code === 'timeout';
  }
}
