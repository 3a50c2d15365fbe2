import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import { type Count, Meters } from './meters.js';

/** One client may leave this much unread, in bytes; beyond it, its connection ends. */
export const MAX_UNSENT = 4_194_304;
/** Less than this is not watched: the network takes it in a moment. */
export const WORTH_WATCHING = 16_384;
/** All clients together may leave this part of the heap unread: what they do not read is held in memory. */
const PART_OF_HEAP = 1 / 6;
/** What may be written before all who are behind are looked at again, as a part of what they may leave unread. */
const PART_BEFORE_LOOK = 1 / 16;
/** How long a client may be behind, in milliseconds: a slow one reads 1 MB in that time. */
const MAX_BEHIND = 60_000;
/** How often those who are behind are looked at, in milliseconds. */
const LOOK = 100;

/** The way to one client. */
export interface Outlet {
  /** The bytes that were written and not yet taken by the network. */
  readonly unsent: number;
  /** Ends the connection at once and lets go of what it holds. */
  end(): void;
  /** It has caught up. */
  onEmpty?(): void;
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

/**
 * Bounds what this process holds for clients that do not read: each may leave 4 MB, for 60 s, and all together a sixth
 * of the heap, beyond which those who have been behind for longest are ended first.
 */
@Injectable()
export class UnsentBytes implements OnModuleDestroy {
  private readonly max = getHeapStatistics().heap_size_limit * PART_OF_HEAP;
  /** Who is behind, and since when, the longest first. */
  private readonly behind = new Map<Outlet, number>();
  private timer?: NodeJS.Timeout;
  /** What was written since the last look. */
  private written = 0;
  private total = 0;
  private readonly ended: Count;

  constructor(meters: Meters) {
    const help = 'Connections that were ended because what was written to them was not read';
    this.ended = meters.counter('parley_unread_connections_ended_total', help);
    meters.gauge('parley_unsent_bytes', 'Bytes that wait for clients who read slowly', () => this.total);
  }

  /** To be called after each write that may not be taken at once. */
  watch(outlet: Outlet, bytes: number): void {
    const { unsent } = outlet;
    if (unsent > MAX_UNSENT) return this.end(outlet);
    if (unsent < WORTH_WATCHING) return;
    if (!this.behind.has(outlet)) this.behind.set(outlet, performance.now());
    this.timer ??= setInterval(() => this.look(), LOOK).unref();
    this.written += bytes;
    const { written, max } = this;
    if (this.total + written > max && written > max * PART_BEFORE_LOOK) this.look();
  }

  /** The same for an HTTP answer that was handed over whole. */
  watchResponse(response: ServerResponse, bytes: number): void {
    if (bytes < WORTH_WATCHING) return;
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
    for (const [outlet, since] of this.behind) {
      const { unsent } = outlet;
      if (unsent === 0) this.caughtUp(outlet);
      else if (unsent > MAX_UNSENT || now - since > MAX_BEHIND) this.end(outlet);
      else this.total += unsent;
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

  private caughtUp(outlet: Outlet): void {
    this.behind.delete(outlet);
    outlet.onEmpty?.();
  }

  private end(outlet: Outlet): void {
    this.behind.delete(outlet);
    this.ended.add();
    outlet.end();
  }
}
