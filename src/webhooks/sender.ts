import { Injectable } from '@nestjs/common';
import { isIP } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { nextSpan } from '../platform/telemetry/trace.js';
import { AddressGuard, RefusedError } from './address-guard.js';
import { describeError } from './attempt-error.js';
import { sign } from './signature.js';

/** Milliseconds an attempt may take, from the lookup of the name to the last byte of the answer. */
const ATTEMPT_BUDGET = 15_000;
/** Bytes of an answer's body that are read at most. */
const MAX_ANSWER_BYTES = 16 * 1024;
/** Bytes of an answer's headers that are read at most. */
const MAX_HEADER_BYTES = 16 * 1024;
/** Milliseconds a connection is kept for the next attempt: shorter than receivers do that do not tell. */
const KEEP_ALIVE = 1_500;
const MAX_KEEP_ALIVE = 30_000;

/** Where an event goes, and the keys that sign it. */
export interface Target {
  url: string;
  keys: readonly Buffer[];
}

/** What came of an attempt. Success is a status of 2xx and nothing else. */
export interface AttemptResult {
  at: Date;
  /** The status of the answer; null when there was none. */
  status: number | null;
  /** In words; null after a success. */
  error: string | null;
  durationMs: number;
  /** The header of that name. */
  retryAfter: string | null;
}

export function isSuccess({ status }: Pick<AttemptResult, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Sends signed events (Standard Webhooks 1.0) over undici. */
@Injectable()
export class WebhookSender {
  private readonly agent: Agent;

  constructor(private readonly addresses: AddressGuard) {
    const anywhere = buildConnector({ timeout: ATTEMPT_BUDGET });
    const guarded = buildConnector({
      timeout: ATTEMPT_BUDGET,
      lookup: addresses.lookup,
    } as buildConnector.BuildOptions);
    const connect: buildConnector.connector = (options, callback) => {
      if (addresses.isNamed(options)) return anywhere(options, callback);
      try {
        // A literal address is never looked up.
        if (isIP(options.hostname)) addresses.check(options.hostname);
      } catch (error) {
        return callback(error as Error, null);
      }
      guarded(options, callback);
    };
    this.agent = new Agent({
      connect,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE,
      keepAliveMaxTimeout: MAX_KEEP_ALIVE,
    });
  }

  /** One attempt, a span of its own in the trace. Never rejects. */
  send({ url, keys }: Target, eventId: string, payload: string, traceparent: string | null): Promise<AttemptResult> {
    return new Promise((resolve) => {
      const exchange = new Exchange(resolve);
      try {
        const { origin, pathname, search } = this.check(url);
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
        this.agent.dispatch({ origin, path: pathname + search, method: 'POST', headers, body: payload }, exchange);
      } catch (error) {
        exchange.end(describeError(error));
      }
    });
  }

  /** Breaks off every attempt that is under way. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private check(text: string): URL {
    const url = new URL(text);
    const fault = this.addresses.findFault(url);
    if (fault) throw new RefusedError(fault);
    return url;
  }
}

/** A request and its answer, within the budget. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly at = new Date();
  private readonly startedAt = performance.now();
  private readonly timer = setTimeout(() => this.end(`timed out after ${ATTEMPT_BUDGET / 1000} s`), ATTEMPT_BUDGET);
  private controller?: Dispatcher.DispatchController;
  status: number | null = null;
  private retryAfter: string | null = null;
  private bytes = 0;
  private isOver = false;

  constructor(private readonly resolve: (result: AttemptResult) => void) {}

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isOver) controller.abort(new Error('too late'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.status = status;
    this.retryAfter = [headers['retry-after']].flat()[0] ?? null;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes > MAX_ANSWER_BYTES) this.end(null);
  }

  onResponseEnd(): void {
    this.controller = undefined;
    this.end(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.controller = undefined;
    this.end(describeError(error));
  }

  /** Whatever comes after the status changes nothing: it decides. */
  end(fault: string | null): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
    this.controller?.abort(new Error('enough'));
    const { at, status, retryAfter } = this;
    const words = status === null ? (fault ?? 'failed') : `answered ${status}`;
    const error = isSuccess(this) ? null : words;
    this.resolve({ at, status, error, durationMs: Math.round(performance.now() - this.startedAt), retryAfter });
  }
}
