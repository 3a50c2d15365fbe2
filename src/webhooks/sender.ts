import { Injectable } from '@nestjs/common';
import { Config, DRILL_DETAIL } from '../platform/config/config.js';
import { nextSpan } from '../platform/telemetry/trace.js';
import { RefusedError } from '../platform/outbound/address-guard.js';
import { OutboundAgent, type ResponseController, type ResponseHandler } from '../platform/outbound/outbound-agent.js';
import { describeError } from '../platform/outbound/outbound-error.js';
import { describeRedirect, isRedirect } from '../platform/outbound/redirect.js';
import { sign } from './webhook-secrets.js';

/** The longest duration of an attempt in milliseconds, from the DNS lookup to the last byte of the response. */
const ATTEMPT_TIMEOUT_MS = 15_000;
/** The most bytes of a response's body that are read. */
const MAX_ANSWER_BYTES = 16 * 1024;

/** The URL of an event's receiver, and the keys that sign it. */
export interface Target {
  url: string;
  keys: readonly Buffer[];
}

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

/** Sends signed events (Standard Webhooks 1.0). */
@Injectable()
export class WebhookSender {
  /** The longest duration of an attempt in milliseconds. Tests shorten it. */
  timeout = ATTEMPT_TIMEOUT_MS;

  constructor(
    private readonly agent: OutboundAgent,
    private readonly config: Config,
  ) {}

  /** Makes one attempt, with its own span in the trace. In a drill, it fails without a request. Never rejects. */
  send({ url, keys }: Target, eventId: string, payload: string, traceparent: string | null): Promise<AttemptResult> {
    return new Promise((resolve) => {
      const exchange = new Exchange(url, this.timeout, resolve);
      try {
        if (this.config.DRILL) throw new RefusedError(`not sent: ${DRILL_DETAIL}`);
        if (keys.length === 0)
          throw new RefusedError('its secret cannot be opened (was SECRET_KEY changed?); rotate it');
        const timestamp = Math.floor(exchange.at.getTime() / 1000);
        const headers = {
          'content-type': 'application/json',
          'user-agent': 'Parley',
          'webhook-id': eventId,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': sign(keys, eventId, timestamp, payload),
          ...(traceparent !== null && { traceparent: nextSpan(traceparent) }),
        };
        this.agent.dispatch(url, { method: 'POST', headers, body: payload }, exchange);
      } catch (error) {
        exchange.end(describeError(error));
      }
    });
  }

  /** Aborts all running attempts. */
  async close(): Promise<void> {
    await this.agent.close();
  }
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
