import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { VisitorFeed } from '../feeds/visitor-feed.js';

/** The longest timer, in milliseconds. Node's timers can't wait for 30 days. */
const MAX_TIMER_MS = 24 * 60 * 60 * 1000;

/** Disconnects sockets when their token expires. One timer serves all, because idle sockets must cost nothing. */
@Injectable()
export class SessionExpiry implements OnModuleDestroy {
  private timer?: NodeJS.Timeout;
  /** When the first token expires, in milliseconds since 1970. */
  private nextAt = Infinity;

  constructor(private readonly feed: VisitorFeed) {
    feed.onConnected(({ data }) => this.schedule(data.visitor.expiresAt));
  }

  onModuleDestroy(): void {
    clearTimeout(this.timer);
  }

  private schedule(expiresAt: number): void {
    const at = expiresAt * 1000;
    if (at >= this.nextAt) return;
    clearTimeout(this.timer);
    this.nextAt = at;
    this.timer = setTimeout(() => this.endExpired(), Math.min(at - Date.now(), MAX_TIMER_MS)).unref();
  }

  private endExpired(): void {
    const now = Date.now();
    this.feed.disconnectWhere(({ expiresAt }) => expiresAt * 1000 <= now);
    this.nextAt = Infinity;
    for (const { data } of this.feed.sockets()) this.schedule(data.visitor.expiresAt);
  }
}
