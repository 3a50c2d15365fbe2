import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import { type Counter, Metrics } from '../../telemetry/metrics.js';

/** Maximum bytes that one client may leave unread; beyond it, its connection is closed. */
const MAX_UNSENT_BYTES = 4_194_304;
/** A client with fewer unsent bytes isn't slow: the network takes them in a moment. */
const SLOW_BYTES = 16_384;
/** The share of the heap that all clients together may leave unread, because unread bytes stay in memory. */
const HEAP_SHARE = 1 / 6;
/** Slow clients are checked early once this share of the limit was written since the last check. */
const CHECK_SHARE = 1 / 16;
/** A slow client that reads fewer than `MIN_PROGRESS_BYTES` in this time is disconnected. */
const STALL_TIMEOUT_MS = 60_000;
const MIN_PROGRESS_BYTES = 16_384;
/** The interval between two checks of the slow clients. */
const CHECK_INTERVAL_MS = 100;

/** A connection to one client. */
export interface Recipient {
  /** Bytes that were written but not yet sent. */
  readonly unsent: number;
  /** Ends the connection immediately and frees its buffers. */
  end(): void;
  /** Called when the client is no longer slow. */
  onCaughtUp?(): void;
}

class ResponseRecipient implements Recipient {
  constructor(private readonly response: ServerResponse) {}

  get unsent(): number {
    return this.response.closed ? 0 : this.response.writableLength;
  }

  end(): void {
    this.response.destroy();
  }
}

/** How far a client has read. */
interface Progress {
  /** How many bytes would be unsent if the client had read nothing since `at`. */
  unsent: number;
  at: number;
}

/**
 * Limits the memory held for clients that don't read. Each client may leave 4 MB unread, and may read nothing for 60 s.
 * All clients together may leave a sixth of the heap unread. Beyond it, the clients that have been slow for longest are
 * disconnected first. A client that reads slowly stays connected.
 */
@Injectable()
export class UnsentBytes implements OnModuleDestroy {
  private readonly max = getHeapStatistics().heap_size_limit * HEAP_SHARE;
  /** The slow clients and their last progress, the longest slow first. */
  private readonly slow = new Map<Recipient, Progress>();
  private readonly responses = new WeakMap<ServerResponse, Recipient>();
  private timer?: NodeJS.Timeout;
  /** Bytes written since the last check. */
  private written = 0;
  private total = 0;
  private readonly ended: Counter;

  constructor(metrics: Metrics) {
    this.ended = metrics.counter('parley_unread_connections_ended_total');
    metrics.gauge('parley_unsent_bytes', () => this.total);
  }

  /** Call this after each write that may not be sent immediately. */
  watch(recipient: Recipient, bytes: number): void {
    const { unsent } = recipient;
    if (unsent > MAX_UNSENT_BYTES) return this.end(recipient);
    if (unsent < SLOW_BYTES) return;
    const progress = this.slow.get(recipient);
    if (progress) progress.unsent += bytes;
    else this.slow.set(recipient, { unsent, at: performance.now() });
    this.timer ??= setInterval(() => this.check(), CHECK_INTERVAL_MS).unref();
    this.written += bytes;
    const { written, max } = this;
    if (this.total + written > max && written > max * CHECK_SHARE) this.check();
  }

  /** The same as `watch`, for an HTTP response or a piece of a streamed one. */
  watchResponse(response: ServerResponse, bytes: number): void {
    if (Math.max(bytes, response.writableLength) < SLOW_BYTES) return;
    const recipient = this.responses.get(response) ?? new ResponseRecipient(response);
    this.responses.set(response, recipient);
    // The network takes what it can in this turn of the event loop.
    setImmediate(() => this.watch(recipient, bytes));
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private check(): void {
    const now = performance.now();
    this.written = 0;
    this.total = 0;
    for (const [recipient, progress] of this.slow) {
      const { unsent } = recipient;
      if (unsent < SLOW_BYTES) this.removeSlow(recipient);
      else if (unsent > MAX_UNSENT_BYTES || now - progress.at > STALL_TIMEOUT_MS) this.end(recipient);
      else this.total += unsent;
      if (unsent <= progress.unsent - MIN_PROGRESS_BYTES) Object.assign(progress, { unsent, at: now });
    }
    for (const recipient of this.slow.keys()) {
      if (this.total <= this.max) break;
      this.total -= recipient.unsent;
      this.end(recipient);
    }
    if (this.slow.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private removeSlow(recipient: Recipient): void {
    this.slow.delete(recipient);
    recipient.onCaughtUp?.();
  }

  private end(recipient: Recipient): void {
    this.slow.delete(recipient);
    this.ended.add();
    recipient.end();
  }
}
