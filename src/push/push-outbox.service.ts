import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Pool } from 'pg';
import { AgentSessionsService } from '../auth/agents/agent-sessions.service.js';
import { InboxService } from '../inbox/views/inbox.service.js';
import { Config } from '../platform/config/config.js';
import { POOL } from '../platform/database/pool.js';
import { Sweep } from '../platform/lib/sweep.js';
import { SealError } from '../platform/lib/secrets.js';
import { LogSampler } from '../platform/telemetry/log-sampler.js';
import type { AttemptResult } from '../platform/outbound/attempt.js';
import {
  type DueNotification,
  findDue,
  findNotificationState,
  type LeasedNotification,
  leaseNotification,
  type NotificationState,
  removeNotification,
  retryNotification,
} from './notifications.queries.js';
import { PushMetrics } from './push-metrics.js';
import { payloadOf, topicOf } from './push-payload.js';
import { outcomeOf, retryAt } from './push-retries.js';
import { ATTEMPT_TIMEOUT_MS, PushSender } from './push-sender.js';
import { isQuiet, withPushDefaults } from './push-settings.js';
import { countRefusal, forgetRefusals, removeSubscription } from './subscriptions.queries.js';
import { type BrowserSubscription, SubscriptionsService } from './subscriptions.service.js';
import { type KeyPair, VapidKeys } from './vapid-keys.service.js';
import { withoutTrailingSlashes } from '../platform/lib/web-url.js';

/** Milliseconds between two checks for due notifications that no event announced. */
const INTERVAL_MS = 3_000;
/** How many notifications a node sends at a time, and how many of them for one organization. */
const CONCURRENCY = 16;
const MAX_OF_ORGANIZATION = 4;
/** From this many on, an organization gets a slot only while it has none, so that a few with silent push services leave some to others. */
const RESERVED_FROM = CONCURRENCY / 2;
/** How long a node has a notification: longer than an attempt takes. */
const LEASE_MS = ATTEMPT_TIMEOUT_MS + 15_000;
/** Refusals in a row that end a subscription. */
const MAX_REFUSALS = 5;

/** A notification with everything that's needed to send it. */
interface Sendable {
  notification: LeasedNotification;
  state: NotificationState;
  subscription: BrowserSubscription;
  key: KeyPair;
}

/**
 * Sends the notifications that are due (CONTRACT: Push). Every node checks, and the lease in the row decides which one sends. If that
 * node is lost before it has noted the result, the notification is sent again, and replaces itself by its tag.
 */
@Injectable()
export class PushOutbox implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Push');
  private readonly lines = new LogSampler((omitted) =>
    this.logger.warn({ omitted }, 'further push notifications failed'),
  );
  private readonly sweep = new Sweep({
    interval: () => INTERVAL_MS,
    isNeeded: () => true,
    run: () => this.run(),
    onError: (err, isFirst) => isFirst && this.logger.warn({ err }, 'failed to read the push notifications to send'),
  });
  private readonly sending = new Set<Promise<void>>();
  /** How many are being sent, by organization. */
  private readonly busy = new Map<string, number>();

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly sender: PushSender,
    private readonly keys: VapidKeys,
    private readonly subscriptions: SubscriptionsService,
    private readonly sessions: AgentSessionsService,
    private readonly inbox: InboxService,
    private readonly metrics: PushMetrics,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.sweep.schedule();
  }

  async onModuleDestroy(): Promise<void> {
    this.sweep.stop();
    // Aborts what's being sent. Another node sends it again once its lease has ended.
    await this.sender.close();
    await Promise.all(this.sending);
    this.lines.flush();
  }

  /** Sends what's due now. */
  wake(): void {
    this.sweep.trigger();
  }

  // Doesn't wait for push services: while one is slow, others are used. An organization that has its share leaves the rest to others.
  private async run(): Promise<void> {
    for (;;) {
      const free = CONCURRENCY - this.sending.size;
      if (free <= 0 || this.sweep.isStopped) return;
      const full = [...this.busy.keys()].filter((id) => !this.hasSlot(id));
      const found = await findDue(this.pool, new Date(), free, full);
      const begun = found.filter((notification) => this.begin(notification));
      if (found.length < free || begun.length === found.length) return;
    }
  }

  private hasSlot(organizationId: string): boolean {
    const max = this.sending.size < RESERVED_FROM ? MAX_OF_ORGANIZATION : 1;
    return (this.busy.get(organizationId) ?? 0) < max;
  }

  private begin(notification: DueNotification): boolean {
    const { organizationId } = notification;
    if (!this.hasSlot(organizationId)) return false;
    this.busy.set(organizationId, (this.busy.get(organizationId) ?? 0) + 1);
    // After a failure, the next check comes in its time: the database may take no writes.
    const done = this.handle(notification)
      .then(() => this.wake())
      .catch((err: unknown) => {
        if (!this.sweep.isStopped && this.lines.admits(organizationId))
          this.logger.warn({ err, organizationId }, 'failed to handle a push notification; it will be retried');
      })
      .finally(() => {
        this.sending.delete(done);
        const left = this.busy.get(organizationId)! - 1;
        if (left > 0) this.busy.set(organizationId, left);
        else this.busy.delete(organizationId);
      });
    this.sending.add(done);
    return true;
  }

  private async handle(due: DueNotification): Promise<void> {
    const now = new Date();
    const notification = await leaseNotification(this.pool, due, now, new Date(now.getTime() + LEASE_MS));
    if (!notification) return;
    const sendable = await this.prepare(notification, now);
    if (sendable) return this.send(sendable);
    this.metrics.onLapsed();
    await removeNotification(this.pool, notification);
  }

  // Checks again everything that may have changed since the event.
  private async prepare(notification: LeasedNotification, now: Date): Promise<Sendable | null> {
    const { organizationId, subscriptionId, chatId, kind, expiresAt } = notification;
    const state = await findNotificationState(this.pool, notification, now);
    if (!state || expiresAt <= now || !state.isOpen || state.hasVisiblePage) return null;
    const settings = withPushDefaults(state.settings);
    if (!settings.kinds.includes(kind) || isQuiet(settings, now)) return null;
    const { agentId, sessionId } = state;
    const hasSession = await this.sessions.isActive({ organizationId, agentId, sessionId });
    const key = await this.keys.find(state.publicKey);
    const subscription = this.open(notification, state);
    if (!hasSession || !key || !subscription) {
      await removeSubscription(this.pool, organizationId, subscriptionId);
      return null;
    }
    const readers = kind === 'mention' ? await this.inbox.findWhoMaySee(organizationId, [chatId], [agentId]) : null;
    return readers && !readers.get(chatId)?.has(agentId) ? null : { notification, state, subscription, key };
  }

  private open({ organizationId, subscriptionId }: DueNotification, { sealed }: NotificationState) {
    try {
      return this.subscriptions.open(organizationId, subscriptionId, sealed);
    } catch (error) {
      if (error instanceof SealError) return null;
      throw error;
    }
  }

  private async send({ notification, state, subscription, key }: Sendable): Promise<void> {
    const { organizationId, chatId, kind, expiresAt } = notification;
    const payload = payloadOf(state, kind, chatId, withoutTrailingSlashes(this.config.PUBLIC_URL ?? ''));
    const ttl = Math.max(1, Math.ceil((expiresAt.getTime() - Date.now()) / 1000));
    const result = await this.sender.send(subscription, key, payload, { ttl, topic: topicOf(organizationId, chatId) });
    if (!this.sweep.isStopped) await this.note(notification, result);
  }

  private async note(notification: LeasedNotification, result: AttemptResult): Promise<void> {
    const { organizationId, subscriptionId, attempts, expiresAt } = notification;
    const outcome = outcomeOf(result);
    this.metrics.onAttempt(outcome);
    if (outcome === 'sent') await forgetRefusals(this.pool, organizationId, subscriptionId);
    else this.log(organizationId, result);
    const isLast =
      outcome === 'refused' && (await countRefusal(this.pool, organizationId, subscriptionId)) >= MAX_REFUSALS;
    if (outcome === 'gone' || isLast) return removeSubscription(this.pool, organizationId, subscriptionId);
    const at = outcome === 'later' ? retryAt(attempts, result.retryAfter, new Date(), expiresAt) : null;
    if (at) await retryNotification(this.pool, notification, at);
    else await removeNotification(this.pool, notification);
  }

  private log(organizationId: string, { error }: AttemptResult): void {
    if (this.lines.admits(organizationId))
      this.logger.log({ organizationId, error }, 'a push service took no notification');
  }
}
