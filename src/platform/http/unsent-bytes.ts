import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import { type Counter, Metrics } from '../telemetry/metrics.js';

/** One client may leave this much unread, in bytes; beyond it, its connection ends. */
const MAX_UNSENT = 4_194_304;
/** Less than this is not being behind: the network takes it in a moment. */
const BEHIND = 16_384;
/** All clients together may leave this part of the heap unread: what they do not read is held in memory. */
const PART_OF_HEAP = 1 / 6;
/** What may be written before all who are behind are looked at again, as a part of what they may leave unread. */
const PART_BEFORE_LOOK = 1 / 16;
/** A client that is behind and reads less than `PROGRESS` bytes in this time, in milliseconds, is ended. */
const PATIENCE = 60_000;
const PROGRESS = 16_384;
/** How often those who are behind are looked at, in milliseconds. */
const LOOK = 100;

/** The way to one client. */
export interface Outlet {
  /** The bytes that were written and not yet taken by the network. */
  readonly unsent: number;
  /** Ends the connection at once and lets go of what it holds. */
  end(): void;
  /** It has caught up. */
  onCaughtUp?(): void;
}

class ResponseOutlet implements Outlet {
  constructor(private readonly response: ServerResponse) {}

  get unsent(): number {
    return this.response.closed ? 0 : this.response.writableLength;
  }

  end(): void {
    this.response.destroy();
  }
}

/** How far behind a client was, and when. */
interface Mark {
  unsent: number;
  at: number;
}

/**
 * Bounds what this process holds for clients that do not read: each may leave 4 MB, and not read
 * for 60 s; all together may leave a sixth of the heap, beyond which those who have been behind for longest are ended
 * first. A client that reads slowly goes on.
 */
@Injectable()
export class UnsentBytes implements OnModuleDestroy {
  private readonly max = getHeapStatistics().heap_size_limit * PART_OF_HEAP;
  /** Who is behind, the longest first, and where it was when it last moved on. */
  private readonly behind = new Map<Outlet, Mark>();
  private timer?: NodeJS.Timeout;
  /** What was written since the last look. */
  private written = 0;
  private total = 0;
  private readonly ended: Counter;

  constructor(metrics: Metrics) {
    const help = 'Connections that were ended because what was written to them was not read';
    this.ended = metrics.counter('parley_unread_connections_ended_total', help);
    metrics.gauge('parley_unsent_bytes', 'Bytes that wait for clients who read slowly', () => this.total);
  }

  /** To be called after each write that may not be taken at once. */
  watch(outlet: Outlet, bytes: number): void {
    const { unsent } = outlet;
    if (unsent > MAX_UNSENT) return this.end(outlet);
    if (unsent < BEHIND) return;
    if (!this.behind.has(outlet)) this.behind.set(outlet, { unsent, at: performance.now() });
    this.timer ??= setInterval(() => this.look(), LOOK).unref();
    this.written += bytes;
    const { written, max } = this;
    if (this.total + written > max && written > max * PART_BEFORE_LOOK) this.look();
  }

  /** The same for an HTTP answer that was handed over whole. */
  watchResponse(response: ServerResponse, bytes: number): void {
    if (bytes < BEHIND) return;
    // The connection takes what it can in this very turn.
    setImmediate(() => this.watch(new ResponseOutlet(response), bytes));
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const now = performance.now();
    this.written = 0;
    this.total = 0;
    for (const [outlet, mark] of this.behind) {
      const { unsent } = outlet;
      if (unsent < BEHIND) this.catchUp(outlet);
      else if (unsent > MAX_UNSENT || now - mark.at > PATIENCE) this.end(outlet);
      else this.total += unsent;
      if (unsent <= mark.unsent - PROGRESS) Object.assign(mark, { unsent, at: now });
    }
    for (const outlet of this.behind.keys()) {
      if (this.total <= this.max) break;
      this.total -= outlet.unsent;
      this.end(outlet);
    }
    if (this.behind.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private catchUp(outlet: Outlet): void {
    this.behind.delete(outlet);
    outlet.onCaughtUp?.();
  }

  private end(outlet: Outlet): void {
    this.behind.delete(outlet);
    this.ended.add();
    outlet.end();
  }
}
