import type { ErrorCode } from './error-codes.js';

/** An invalid field: a JSON Pointer into the body, or a query parameter. */
export interface FieldError {
  pointer?: string;
  parameter?: string;
  header?: string;
  detail: string;
}

/** The refused request. */
export interface RefusedRequest {
  method: string;
  /** Without the query. */
  path: string;
  /** The address of Parley. */
  origin: string;
  requestId?: string;
  errors?: FieldError[];
}

/** Parley refused a request. Retrying wouldn't help. */
export class ParleyError extends Error {
  override name = 'ParleyError';
  readonly method?: string;
  /** The path of the request, such as `/api/bot/messages`. */
  readonly path?: string;
  /** Identifies the request in Parley's log. */
  readonly requestId?: string;
  /** The invalid fields. */
  readonly errors?: FieldError[];

  constructor(
    readonly status: number,
    /** The problem's `code`; empty if the response had none. A newer Parley may have codes that `ErrorCode` doesn't name. */
    readonly code: ErrorCode | (string & {}),
    detail: string,
    request?: RefusedRequest,
  ) {
    super(request ? describe(status, detail, request) : detail);
    this.method = request?.method;
    this.path = request?.path;
    this.requestId = request?.requestId;
    this.errors = request?.errors;
  }
}

function describe(status: number, detail: string, { method, path, origin, errors = [], requestId }: RefusedRequest) {
  const fields = errors.map((error) => `${error.pointer ?? error.parameter ?? error.header}: ${error.detail}`);
  const more = requestId ? ` (request ${requestId})` : '';
  return `${method} ${origin}${path} answered ${status}: ${[detail, ...fields].join('; ')}${more}`;
}

/** Another process polls for this bot's events. Don't restart automatically, or the two keep interrupting each other. */
export class SupersededError extends ParleyError {
  override name = 'SupersededError';

  constructor() {
    super(
      409,
      'superseded',
      'Another process fetches the events of this bot: set share: true in all of them, or give each process a bot of its own',
    );
  }
}

/** The handler took longer than `deadline`. */
export class DeadlineError extends Error {
  override name = 'DeadlineError';
}

/** The handler of a visitor's message ended without an answer. */
export class NoReplyError extends Error {
  override name = 'NoReplyError';

  constructor() {
    super('The handler ended without reply(), say(), or handOver(); return ignore() to be silent on purpose');
  }
}

/** The turn is over: people have the chat, it's closed, or the deadline has passed. You don't need to catch this error. */
export class TurnOverError extends Error {
  override name = 'TurnOverError';

  constructor(why: string) {
    super(`The turn is over: ${why}`);
  }
}

/** A thrown value as the log shows it. Reading it may fail: an object without a prototype is no text, and a getter may throw. */
export function toText(error: unknown): string {
  try {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } catch {
    return 'an unreadable error';
  }
}
