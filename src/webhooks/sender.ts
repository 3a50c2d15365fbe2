import { Injectable } from '@nestjs/common';
import { Config, DRILL_DETAIL } from '../platform/config/config.js';
import { nextSpan } from '../platform/telemetry/trace.js';
import { RefusedError } from '../platform/outbound/address-guard.js';
import { attempt, type AttemptResult } from '../platform/outbound/attempt.js';
import { OutboundAgent } from '../platform/outbound/outbound-agent.js';
import { sign } from './webhook-secrets.js';

/** The longest duration of an attempt in milliseconds, from the DNS lookup to the last byte of the response. */
const ATTEMPT_TIMEOUT_MS = 15_000;

/** The URL of an event's receiver, and the keys that sign it. */
export interface Target {
  url: string;
  keys: readonly Buffer[];
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
    return attempt(this.agent, url, this.timeout, (at) => {
      if (this.config.DRILL) throw new RefusedError(`not sent: ${DRILL_DETAIL}`);
      if (keys.length === 0) throw new RefusedError('its secret cannot be opened (was SECRET_KEY changed?); rotate it');
      const timestamp = Math.floor(at.getTime() / 1000);
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Parley',
        'webhook-id': eventId,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': sign(keys, eventId, timestamp, payload),
        ...(traceparent !== null && { traceparent: nextSpan(traceparent) }),
      };
      return { method: 'POST', headers, body: payload };
    });
  }

  /** Aborts all running attempts. */
  async close(): Promise<void> {
    await this.agent.close();
  }
}
