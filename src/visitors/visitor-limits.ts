import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type Limit, RateLimits } from '../auth/rate-limit.js';
import { Config } from '../common/config.js';

/** What strangers and visitors may do per second (VISITOR_RATE_LIMIT). */
@Injectable()
export class VisitorLimits {
  /** Requests and socket events of one visitor, however they come. */
  readonly events: Limit;
  /** Sessions asked for by one address. */
  readonly sessions: Limit;

  constructor(limits: RateLimits, { VISITOR_RATE_LIMIT }: Config) {
    this.events = limits.make('visitor', VISITOR_RATE_LIMIT);
    this.sessions = limits.make('sessions', VISITOR_RATE_LIMIT);
  }
}

/** Bounds the sessions that one address may ask for. */
@Injectable()
export class SessionRateGuard implements CanActivate {
  constructor(private readonly limits: VisitorLimits) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.limits.sessions.spend(context.switchToHttp().getRequest<Request>().ip ?? '');
    return true;
  }
}
