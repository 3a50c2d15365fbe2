import { RefusedError } from '../../platform/outbound/address-guard.js';
import {
  type OutboundAgent,
  type ResponseController,
  type ResponseHandler,
} from '../../platform/outbound/outbound-agent.js';
import { describeError } from '../../platform/outbound/outbound-error.js';
import { describeRedirect, isRedirect } from '../../platform/outbound/redirect.js';
import { RunFailure } from '../model/turn.js';

/** The most bytes of an answer, and of an error's text, which administrators read. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_ERROR_BYTES = 2_000;

/** Limits of a run in milliseconds. */
export interface TimeLimits {
  firstByte: number;
  silence: number;
  run: number;
}

/** A request to an endpoint. */
export interface EndpointRequest {
  /** Default: POST. */
  method?: 'POST' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Reads an answer as it arrives. It throws a RunFailure to end the exchange. */
export interface AnswerReader {
  /** @param contentType of the answer, without parameters, in lower case; empty without one */
  start(contentType: string): void;
  push(chunk: Buffer): void;
}

/** One request, and its answer. */
export class Exchange implements ResponseHandler {
  /** The status of the answer, and the bytes of its body. */
  status: number | null = null;
  bytes = 0;
  private retryAfter: string | null = null;
  private location: string | null = null;
  private error: Buffer[] = [];
  private controller?: ResponseController;
  private hasEnded = false;
  private readonly timers: NodeJS.Timeout[] = [];
  private silence?: NodeJS.Timeout;
  private readonly result: Promise<void>;
  private resolve!: () => void;
  private reject!: (error: RunFailure) => void;

  constructor(
    private readonly request: EndpointRequest,
    private readonly reader: AnswerReader,
    private readonly limits: TimeLimits,
  ) {
    this.result = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /**
   * Sends the request. Resolves at the end of the answer's body.
   * @throws RunFailure
   */
  send(agent: OutboundAgent): Promise<void> {
    const { method = 'POST', url, headers, body } = this.request;
    this.timers.push(setTimeout(() => this.timeOut(`did not end within ${this.limits.run / 1000} s`), this.limits.run));
    this.wait(this.limits.firstByte, 'did not begin to answer');
    try {
      agent.dispatch(url, { method, headers, body }, this);
    } catch (error) {
      this.fail(toFailure(error));
    }
    return this.result;
  }

  /** Closes the connection. The exchange fails with this. */
  abort(failure: RunFailure): void {
    this.fail(failure);
  }

  onRequestStart(controller: ResponseController): void {
    this.controller = controller;
    if (this.hasEnded) controller.abort(new Error('too late'));
  }

  onResponseStart(
    _controller: ResponseController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200 || this.hasEnded) return;
    this.status = status;
    this.retryAfter = firstOf(headers['retry-after']);
    this.location = firstOf(headers.location);
    if (isRedirect(status)) return this.fail(this.failureOf(status));
    if (isSuccess(status)) this.guard(() => this.reader.start(typeOf(firstOf(headers['content-type']))));
  }

  onResponseData(_controller: ResponseController, chunk: Buffer): void {
    if (this.hasEnded) return;
    this.bytes += chunk.length;
    this.wait(this.limits.silence, 'sent nothing more');
    if (!isSuccess(this.status!)) return this.readError(chunk);
    if (this.bytes > MAX_BYTES) return this.fail(new RunFailure('too_large', 'sent more than 4 MB', this.status));
    // A later chunk may share the memory of this one.
    this.guard(() => this.reader.push(Buffer.from(chunk)));
  }

  onResponseEnd(): void {
    this.controller = undefined;
    if (this.status !== null && !isSuccess(this.status)) return this.fail(this.failureOf(this.status));
    if (this.end()) this.resolve();
  }

  onResponseError(_controller: ResponseController | undefined, error: Error): void {
    this.controller = undefined;
    if (this.status === null) return this.fail(toFailure(error));
    if (!isSuccess(this.status)) return this.fail(this.failureOf(this.status));
    this.fail(new RunFailure('truncated', `the answer was cut off: ${describeError(error)}`, this.status));
  }

  private readError(chunk: Buffer): void {
    this.error.push(Buffer.from(chunk));
    if (this.bytes > MAX_ERROR_BYTES) this.fail(this.failureOf(this.status!));
  }

  private guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.fail(error instanceof RunFailure ? error : toFailure(error));
    }
  }

  private failureOf(status: number): RunFailure {
    if (isRedirect(status))
      return new RunFailure('redirect', describeRedirect(status, this.request.url, this.location), status);
    const text = Buffer.concat(this.error).toString('utf8').trim();
    return new RunFailure('status', `answered ${status}${text && `: ${text}`}`, status, toSeconds(this.retryAfter));
  }

  private wait(milliseconds: number, what: string): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.timeOut(`${what} within ${milliseconds / 1000} s`), milliseconds);
  }

  private timeOut(detail: string): void {
    this.fail(new RunFailure('timeout', detail, this.status));
  }

  private fail(failure: RunFailure): void {
    if (!this.end()) return;
    this.controller?.abort(new Error('enough'));
    this.reject(failure);
  }

  private end(): boolean {
    if (this.hasEnded) return false;
    this.hasEnded = true;
    clearTimeout(this.silence);
    for (const timer of this.timers) clearTimeout(timer);
    return true;
  }
}

/** Limits of a request whose answer isn't read, in milliseconds. */
const ASIDE_LIMITS: TimeLimits = { firstByte: 10_000, silence: 10_000, run: 10_000 };
const NO_READER: AnswerReader = { start: () => undefined, push: () => undefined };

/** Sends a request whose answer isn't read. @throws RunFailure */
export function sendAside(agent: OutboundAgent, request: EndpointRequest): Promise<void> {
  return new Exchange(request, NO_READER, ASIDE_LIMITS).send(agent);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function toFailure(error: unknown): RunFailure {
  const refused = refusalIn(error);
  if (refused) return new RunFailure('refused_address', refused.message);
  return new RunFailure('unreachable', describeError(error));
}

function refusalIn(error: unknown): RefusedError | null {
  if (error instanceof RefusedError) return error;
  const { cause } = (error ?? {}) as { cause?: unknown };
  return cause === undefined ? null : refusalIn(cause);
}

function firstOf(header: string | string[] | undefined): string | null {
  return [header].flat()[0] ?? null;
}

function typeOf(contentType: string | null): string {
  return (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

// A number of seconds or a date.
function toSeconds(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  const seconds = Number(retryAfter.trim() || Number.NaN);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? null : Math.max(0, (at - Date.now()) / 1000);
}
