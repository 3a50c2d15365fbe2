import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { addressOf } from './address.js';
import { type Limit, RateLimits } from './rate-limit.js';
import { Config } from '../platform/config/config.js';

/** All visitors of an address may do so many times what one may. */
const VISITORS_OF_ADDRESS = 10;
const MINUTE = 60;

/** What strangers and visitors may do (VISITOR_RATE_LIMIT, NEW_VISITOR_LIMIT; docs/security.md). */
@Injectable()
export class VisitorLimits {
  /** Visitors begun by one address, and chats. */
  readonly newVisitors: Limit;
  readonly newChats: Limit;
  /** Sessions asked for by one address. */
  readonly sessions: Limit;
  private readonly events: Limit;
  private readonly eventsOfAddress: Limit;

  constructor(limits: RateLimits, { VISITOR_RATE_LIMIT, NEW_VISITOR_LIMIT }: Config) {
    this.events = limits.make('visitor', VISITOR_RATE_LIMIT);
    this.eventsOfAddress = limits.make('visitor_address', VISITOR_RATE_LIMIT * VISITORS_OF_ADDRESS);
    this.sessions = limits.make('sessions', VISITOR_RATE_LIMIT);
    this.newVisitors = limits.make('new_visitors', NEW_VISITOR_LIMIT, MINUTE);
    this.newChats = limits.make('new_chats', NEW_VISITOR_LIMIT, MINUTE);
  }

  /** Counts a request or event of a visitor, however it comes. @throws Problem rate_limited */
  async spend(visitorId: string, address: string): Promise<void> {
    await this.events.spend(visitorId);
    await this.eventsOfAddress.spend(address);
  }
}

/** Bounds the sessions that one address may ask for. */
@Injectable()
export class SessionRateGuard implements CanActivate {
  constructor(private readonly limits: VisitorLimits) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.limits.sessions.spend(addressOf(context.switchToHttp().getRequest<Request>()));
    return true;
  }
}
