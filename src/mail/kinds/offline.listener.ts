import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import pLimit from 'p-limit';
import { EntityManager } from 'typeorm';
import type { ChatAssigned } from '../../chats/model/chats.events.js';
import type { NoteMentioned } from '../../inbox/notes/notes.events.js';
import { OnDomainEvent } from '../../platform/database/domain-events.js';
import { transaction } from '../../platform/database/transaction.js';
import { newId } from '../../platform/lib/ids.js';
import { MailSetup } from '../model/mail-setup.js';
import { MailsService } from '../model/mails.service.js';
import { type OfflineKind, findOfflineAgent } from './offline.queries.js';

/** The most of these mails that an agent gets in an hour. */
const MAX_AN_HOUR = 10;
const HOUR_MS = 3_600_000;
/** How long a push notification may remain unseen until the mail follows. */
const AFTER_PUSH_MS = 300_000;
const CONCURRENCY = 2;
const MAX_WAITING = 1_000;

/** Queues mails to agents about chats that they got, or notes that mention them, while no page of theirs was open. */
@Injectable()
export class OfflineListener implements OnModuleDestroy {
  private readonly logger = new Logger('Mail');
  private readonly turns = pLimit(CONCURRENCY);
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly manager: EntityManager,
    private readonly mails: MailsService,
    private readonly setup: MailSetup,
  ) {}

  async onModuleDestroy(): Promise<void> {
    this.turns.clearQueue();
    await this.running;
  }

  @OnDomainEvent('chat.assigned')
  onAssigned({ organizationId, chatId, agentId, isOwnChoice }: ChatAssigned): void {
    if (!isOwnChoice) this.add('assigned', { organizationId, chatId, agentId });
  }

  @OnDomainEvent('note.mentioned')
  onMentioned({ organizationId, chatId, agentIds }: NoteMentioned): void {
    for (const agentId of agentIds) this.add('mentioned', { organizationId, chatId, agentId });
  }

  private add(kind: OfflineKind, about: { organizationId: string; chatId: string; agentId: string }): void {
    if (!this.setup.isOn || this.turns.pendingCount >= MAX_WAITING) return;
    const done = this.turns(() => this.queue(kind, about)).catch((err: unknown) => {
      this.logger.warn({ err, chatId: about.chatId }, 'failed to queue a mail to an agent who is offline');
    });
    this.running = Promise.all([this.running, done]).then(() => undefined);
  }

  private async queue(
    kind: OfflineKind,
    about: { organizationId: string; chatId: string; agentId: string },
  ): Promise<void> {
    const now = Date.now();
    const agent = await findOfflineAgent(this.manager, about, new Date(now - HOUR_MS));
    if (!agent || agent.count >= MAX_AN_HOUR) return;
    const dueAt = new Date(agent.hasPush ? now + AFTER_PUSH_MS : now);
    const mail = { ...about, id: newId('eml'), kind, to: agent.email, dueAt };
    await transaction(this.manager, (tx) => this.mails.queue(tx, mail));
  }
}
