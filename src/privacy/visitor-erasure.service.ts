import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { AuditService } from '../auth/audit/audit.service.js';
import { ChatReleaseService } from '../chats/moves/chat-release.service.js';
import { FileRemovals } from '../files/removals.service.js';
import '../chats/model/chats.events.js';
import '../visitors/visitors.events.js';
import { DomainEventBus } from '../platform/database/domain-events.js';
import { notFound } from '../platform/errors/problem.js';
import { transaction } from '../platform/database/transaction.js';
import { eraseInOtherChats, eraseStep, findPlaceholder, markErasing, removeVisitor } from './erasure.queries.js';

/** Erases a person: their messages and the replies, their profile, and the data derived from these. */
@Injectable()
export class VisitorErasureService {
  constructor(
    private readonly manager: EntityManager,
    private readonly release: ChatReleaseService,
    private readonly events: DomainEventBus,
    private readonly audit: AuditService,
    private readonly files: FileRemovals,
  ) {}

  /**
   * Starts to erase a visitor, whose token is refused from then on.
   * @param alongside work in the transaction that starts it. Not called if the erasure has started before
   * @throws Problem not_found
   */
  async start(
    organizationId: string,
    visitorId: string,
    alongside?: (tx: EntityManager) => Promise<void>,
  ): Promise<void> {
    await transaction(this.manager, async (tx) => {
      const { isErasing } = (await markErasing(tx, organizationId, visitorId)) ?? notFound('Visitor');
      if (!isErasing) await alongside?.(tx);
    });
    this.events.emit('visitor.erased', { organizationId, visitorId });
  }

  /**
   * Continues an erasure. Returns true when nothing is left, or false if `shouldStop` ended it early; the next request or the next pass
   * continues. The end is recorded once.
   */
  async proceed(organizationId: string, visitorId: string, shouldStop: () => boolean): Promise<boolean> {
    const placeholderId = await findPlaceholder(this.manager, organizationId);
    const steps = [
      () =>
        transaction(this.manager, (tx) =>
          eraseStep(tx, organizationId, visitorId, placeholderId, (chat) =>
            this.takeFromAgents(tx, organizationId, chat),
          ),
        ),
      () => transaction(this.manager, (tx) => eraseInOtherChats(tx, organizationId, visitorId)),
    ];
    for (const step of steps) {
      for (let hasMore = true; hasMore;) {
        if (shouldStop()) return false;
        hasMore = await step();
      }
    }
    if (!(await this.files.finishErasure(organizationId, visitorId, shouldStop))) return false;
    await transaction(this.manager, async (tx) => {
      if (await removeVisitor(tx, organizationId, visitorId))
        await this.audit.recordErased(tx, organizationId, visitorId);
    });
    return true;
  }

  private async takeFromAgents(
    tx: EntityManager,
    organizationId: string,
    { id: chatId, groupId }: { id: string; groupId: string },
  ): Promise<void> {
    await this.release.release(tx, organizationId, [chatId]);
    const change = { organizationId, chatId, previousGroupId: groupId, hasEnded: true };
    this.events.emit('chat.changed', change, tx);
  }
}
