import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import type { ChatAssigned, ChatOfferMade } from '../chats/model/chats.events.js';
import type { NoteMentioned } from '../inbox/notes/notes.events.js';
import type { MessageCreated } from '../messages/messages.events.js';
import { OnDomainEvent } from '../platform/database/domain-events.js';
import { POOL } from '../platform/database/pool.js';
import { batch } from '../platform/lib/batch.js';
import { LogSampler } from '../platform/telemetry/log-sampler.js';
import { queueNotifications } from './notifications.queries.js';
import type { PushEvent } from './push-kind.js';
import { PushOutbox } from './push-outbox.service.js';
import { PushRecipients } from './push-recipients.js';

/** Milliseconds until a notification expires. A notification about an offer expires with the offer. */
const LIFETIME_MS = 24 * 3_600_000;
/** The most events that share a statement, and that may wait. */
const MAX_BATCH = 100;
const MAX_WAITING = 10_000;

/** Queues notifications after the events that agents see in their inbox. Nothing waits for it. */
@Injectable()
export class PushListener {
  private readonly logger = new Logger('Push');
  private readonly lines = new LogSampler((omitted) =>
    this.logger.warn({ omitted }, 'failed to queue further push notifications'),
  );
  private readonly queue = batch<PushEvent, void>((events) => this.insert(events), MAX_BATCH, {
    maxWaiting: MAX_WAITING,
  });

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly recipients: PushRecipients,
    private readonly outbox: PushOutbox,
  ) {}

  @OnDomainEvent('message.created')
  onMessageCreated({ organizationId, message: { chatId, sender } }: MessageCreated): void {
    if (sender.type === 'VISITOR') this.add({ organizationId, chatId, kind: 'message', agentId: null, ...soon() });
  }

  @OnDomainEvent('chatOffer.made')
  onOfferMade({ organizationId, chatId, agentId, expiresAt }: ChatOfferMade): void {
    this.add({ organizationId, chatId, kind: 'offer', agentId, expiresAt });
  }

  @OnDomainEvent('chat.assigned')
  onAssigned({ organizationId, chatId, agentId, isOwnChoice }: ChatAssigned): void {
    if (!isOwnChoice) this.add({ organizationId, chatId, kind: 'assignment', agentId, ...soon() });
  }

  @OnDomainEvent('note.mentioned')
  onMentioned({ organizationId, chatId, agentIds }: NoteMentioned): void {
    for (const agentId of agentIds) this.add({ organizationId, chatId, kind: 'mention', agentId, ...soon() });
  }

  private add(event: PushEvent): void {
    this.queueIfWanted(event).catch((err: unknown) => {
      if (this.lines.admits(event.organizationId)) this.logger.warn({ err }, 'failed to queue a push notification');
    });
  }

  private async queueIfWanted(event: PushEvent): Promise<void> {
    if (await this.recipients.hasAny(event.organizationId)) await this.queue(event);
  }

  private async insert(events: readonly PushEvent[]): Promise<undefined[]> {
    if ((await queueNotifications(this.pool, events, new Date())) > 0) this.outbox.wake();
    return events.map(() => undefined);
  }
}

function soon(): { expiresAt: Date } {
  return { expiresAt: new Date(Date.now() + LIFETIME_MS) };
}
