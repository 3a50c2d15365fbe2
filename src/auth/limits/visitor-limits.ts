import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { addressOf } from './address.js';
import { type Limit, RateLimits } from './rate-limit.js';
import { Config } from '../../platform/config/config.js';

/** The limit of all visitors of one address, as a multiple of one visitor's limit. */
export const ADDRESS_FACTOR = 10;
const MINUTE_SECONDS = 60;
/** How often the profile of a signed visitor may change in a minute: its metadata comes from the page, and isn't signed. */
const IDENTITY_CHANGES = 30;
/** How many transcripts a visitor may ask for in an hour, in all chats, so that one can't use up an organization's mails. */
const TRANSCRIPTS = 10;
const HOUR_SECONDS = 3_600;

/** The rate limits of visitors and of unknown clients (VISITOR_RATE_LIMIT, NEW_VISITOR_LIMIT; docs/operate/security.md). */
@Injectable()
export class VisitorLimits {
  /** New visitors and new chats from one address. */
  readonly newVisitors: Limit;
  readonly newChats: Limit;
  /** Session requests of one address. */
  readonly sessions: Limit;
  /** Requests for the settings of widgets from one address. */
  readonly widgets: Limit;
  /** Changes of the profile of one signed visitor. */
  readonly identityChanges: Limit;
  /** Transcripts that one visitor asks for. */
  readonly transcripts: Limit;
  private readonly events: Limit;
  private readonly eventsOfAddress: Limit;

  constructor(limits: RateLimits, { VISITOR_RATE_LIMIT, NEW_VISITOR_LIMIT }: Config) {
    this.events = limits.make('visitor', VISITOR_RATE_LIMIT);
    this.eventsOfAddress = limits.make('visitor_address', VISITOR_RATE_LIMIT * ADDRESS_FACTOR);
    this.sessions = limits.make('sessions', VISITOR_RATE_LIMIT);
    this.widgets = limits.make('widget_settings', VISITOR_RATE_LIMIT * ADDRESS_FACTOR);
    this.newVisitors = limits.make('new_visitors', NEW_VISITOR_LIMIT, MINUTE_SECONDS);
    this.identityChanges = limits.make('identity_changes', IDENTITY_CHANGES, MINUTE_SECONDS);
    this.transcripts = limits.make('transcripts', TRANSCRIPTS, HOUR_SECONDS);
    this.newChats = limits.make('new_chats', NEW_VISITOR_LIMIT, MINUTE_SECONDS);
  }

  /** Counts a REST request or a socket event of a visitor. @throws Problem rate_limited */
  async spend(visitorId: string, address: string): Promise<void> {
    await this.events.spend(visitorId);
    await this.eventsOfAddress.spend(address);
  }
}

/** Limits the sessions that one address may request. */
@Injectable()
export class SessionRateGuard implements CanActivate {
  constructor(private readonly limits: VisitorLimits) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.limits.sessions.spend(addressOf(context.switchToHttp().getRequest<Request>()));
    return true;
  }
}

/** Limits how often one address may ask for the settings of widgets. */
@Injectable()
export class WidgetRateGuard implements CanActivate {
  constructor(private readonly limits: VisitorLimits) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.limits.widgets.spend(addressOf(context.switchToHttp().getRequest<Request>()));
    return true;
  }
}
