import { describeError } from './outbound-error.js';
import type { OutboundAgent, OutboundRequest, ResponseController, ResponseHandler } from './outbound-agent.js';
import { describeRedirect, isRedirect } from './redirect.js';

/** The most bytes of a response's body that are read. */
const MAX_ANSWER_BYTES = 16 * 1024;

/** The result of an attempt. Only a 2xx status is a success. */
export interface AttemptResult {
  at: Date;
  /** The status of the response; null without one. */
  status: number | null;
  /** The error in plain text; null after a success. */
  error: string | null;
  durationMs: number;
  /** The response's Retry-After header. */
  retryAfter: string | null;
}

export function isSuccess({ status }: Pick<AttemptResult, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

/**
 * Makes one request, and ignores the body of the response. Never rejects: what `prepare` throws is the attempt's error.
 * @param timeout milliseconds from the DNS lookup to the last byte of the response
 * @param prepare makes the request from the time of the attempt
 */
export function attempt(
  agent: OutboundAgent,
  url: string,
  timeout: number,
  prepare: (at: Date) => OutboundRequest,
): Promise<AttemptResult> {
  return new Promise((resolve) => {
    const exchange = new Exchange(url, timeout, resolve);
    try {
      agent.dispatch(url, prepare(exchange.at), exchange);
    } catch (error) {
      exchange.end(describeError(error));
    }
  });
}

/** One request and its response, with a timeout. */
class Exchange implements ResponseHandler {
  readonly at = new Date();
  private readonly startedAt = performance.now();
  private readonly timer: NodeJS.Timeout;
  private controller?: ResponseController;
  status: number | null = null;
  private retryAfter: string | null = null;
  private location: string | null = null;
  private bytes = 0;
  private hasEnded = false;

  constructor(
    private readonly url: string,
    timeout: number,
    private readonly resolve: (result: AttemptResult) => void,
  ) {
    this.timer = setTimeout(() => this.end(`timed out after ${timeout / 1000} s`), timeout);
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
    if (status < 200) return;
    this.status = status;
    this.retryAfter = firstOf(headers['retry-after']);
    this.location = firstOf(headers.location);
  }

  onResponseData(_controller: ResponseController, chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes > MAX_ANSWER_BYTES) this.end(null);
  }

  onResponseEnd(): void {
    this.controller = undefined;
    this.end(null);
  }

  onResponseError(_controller: ResponseController | undefined, error: Error): void {
    this.controller = undefined;
    this.end(describeError(error));
  }

  /** Ends the exchange. Once the status has arrived, it decides the result, even if the rest of the response fails. */
  end(fault: string | null): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    clearTimeout(this.timer);
    this.controller?.abort(new Error('enough'));
    const { at, status, retryAfter } = this;
    const error = isSuccess(this) ? null : this.describe(fault);
    this.resolve({ at, status, error, durationMs: Math.round(performance.now() - this.startedAt), retryAfter });
  }

  private describe(fault: string | null): string {
    const { status, url, location } = this;
    if (status === null) return fault ?? 'failed';
    return isRedirect(status) ? describeRedirect(status, url, location) : `answered ${status}`;
  }
}

function firstOf(header: string | string[] | undefined): string | null {
  return [header].flat()[0] ?? null;
}
