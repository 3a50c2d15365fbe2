import { Injectable } from '@nestjs/common';
import webPush from 'web-push';
import { Config, DRILL_DETAIL } from '../platform/config/config.js';
import { parseMailbox } from '../platform/config/mail-variables.js';
import { RefusedError } from '../platform/outbound/address-guard.js';
import { attempt, type AttemptResult } from '../platform/outbound/attempt.js';
import { OutboundAgent } from '../platform/outbound/outbound-agent.js';
import type { PushPayload } from './push-payload.js';
import type { BrowserSubscription } from './subscriptions.service.js';
import type { KeyPair } from './vapid-keys.service.js';

/** The longest duration of an attempt in milliseconds. */
export const ATTEMPT_TIMEOUT_MS = 15_000;
/** The sender, if neither MAIL_FROM nor an https PUBLIC_URL names one. */
const UNKNOWN_SUBJECT = 'mailto:parley@localhost';

/** How a push service keeps a notification. */
export interface PushTerms {
  /** Seconds that it's kept while the browser is offline. */
  ttl: number;
  /** A newer notification with the same topic replaces it. */
  topic: string;
}

/** Sends encrypted notifications to push services (RFC 8030, 8291, and 8292). */
@Injectable()
export class PushSender {
  /** The longest duration of an attempt in milliseconds. Tests shorten it. */
  timeout = ATTEMPT_TIMEOUT_MS;
  private readonly subject: string;

  constructor(
    private readonly agent: OutboundAgent,
    private readonly config: Config,
  ) {
    this.subject = subjectOf(config);
  }

  /** Makes one attempt. In a drill, it fails without a request. Never rejects. */
  send(
    subscription: BrowserSubscription,
    key: KeyPair,
    payload: PushPayload,
    { ttl, topic }: PushTerms,
  ): Promise<AttemptResult> {
    return attempt(this.agent, subscription.endpoint, this.timeout, () => {
      if (this.config.DRILL) throw new RefusedError(`not sent: ${DRILL_DETAIL}`);
      const vapidDetails = { subject: this.subject, ...key };
      const options = { TTL: ttl, topic, urgency: 'high', contentEncoding: 'aes128gcm', vapidDetails } as const;
      const { headers, body } = webPush.generateRequestDetails(subscription, JSON.stringify(payload), options);
      return { method: 'POST', headers: headersOf(headers), body };
    });
  }

  /** Aborts all running attempts. */
  async close(): Promise<void> {
    await this.agent.close();
  }
}

function subjectOf({ MAIL_FROM, PUBLIC_URL }: Config): string {
  if (MAIL_FROM !== undefined) return `mailto:${parseMailbox(MAIL_FROM).address}`;
  return PUBLIC_URL?.toLowerCase().startsWith('https:') ? PUBLIC_URL : UNKNOWN_SUBJECT;
}

// The library gives numbers too.
function headersOf(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
}
