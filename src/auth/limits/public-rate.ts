import { Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { Config } from '../../platform/config/config.js';
import { ClientAddress } from './client-address.js';
import { type Limit, RateLimits } from './rate-limit.js';
import { ADDRESS_FACTOR } from './visitor-limits.js';

/** The APIs. Their documents, one segment deeper, are public. Express ignores the case of paths. */
const API = /^\/api\/(?:bot|visitor|agent|admin)\/(?!docs\b)/i;
/** Socket.IO, whose requests have no token. Handshakes are counted by `spendHandshake`. */
const SOCKETS_PATH = '/socket.io/';
/** What probes and scrapers ask for. */
const HEALTH = /^\/(?:health|metrics)\b/i;

/**
 * Limits the requests without a token of one address, before anything is done for them: files, API documents, unknown paths, and
 * API requests that have no token or are preflights. Health checks count by themselves, so that a flood of others doesn't fail them.
 */
@Injectable()
export class PublicRate {
  private readonly others: Limit;
  private readonly health: Limit;

  constructor(
    private readonly address: ClientAddress,
    limits: RateLimits,
    { VISITOR_RATE_LIMIT }: Config,
  ) {
    this.others = limits.make('public', VISITOR_RATE_LIMIT * ADDRESS_FACTOR);
    this.health = limits.make('health', VISITOR_RATE_LIMIT * ADDRESS_FACTOR);
  }

  /** Counts a request. Returns null if it isn't limited. @throws Problem rate_limited */
  spend(request: IncomingMessage): Promise<unknown> | null {
    const { url = '', headers } = request;
    const hasToken = headers.authorization !== undefined || headers.cookie !== undefined;
    if ((hasToken && API.test(url)) || url.startsWith(SOCKETS_PATH)) return null;
    const limit = HEALTH.test(url) ? this.health : this.others;
    return limit.policy && limit.spend(this.address.of(request));
  }

  /** The same for a request to open a socket. */
  spendHandshake(request: IncomingMessage): Promise<unknown> | null {
    return this.others.policy && this.others.spend(this.address.of(request));
  }
}
