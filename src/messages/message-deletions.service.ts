import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { RequestContext } from '../auth/context/request-context.js';
import { raiseRev } from '../chats/moves/chat-transitions.queries.js';
import { ChatTransitions } from '../chats/moves/chat-transitions.service.js';
import { notFound, Problem } from '../platform/errors/problem.js';
import { DomainEventBus } from '../platform/database/domain-events.js';
import { FileLinks } from '../files/file-links.js';
import { removeFiles } from '../files/removals.queries.js';
import { FileRemovals } from '../files/removals.service.js';
import { afterCommit, transaction } from '../platform/database/transaction.js';
import { toMessageView } from './message-view.js';
import { findSender, tombstoneOne } from './removed-messages.queries.js';
import './messages.events.js';

/** Deletes single messages: they become tombstones, as those past their retention. */
@Injectable()
export class MessageDeletions {
  constructor(
    private readonly manager: EntityManager,
    private readonly transitions: ChatTransitions,
    private readonly events: DomainEventBus,
    private readonly links: FileLinks,
    private readonly removals: FileRemovals,
  ) {}

  /** Deletes the acting agent's message. Does nothing if it's deleted. @throws Problem not_found; forbidden for another sender's message */
  deleteOwn(context: RequestContext, chatId: string, seq: number): Promise<void> {
    const { organizationId, actor } = context;
    return transaction(this.manager, async (tx) => {
      await this.transitions.lockExisting(tx, context, chatId);
      const sender = (await findSender(tx, organizationId, chatId, seq)) ?? notFound('Message');
      if (sender.type !== 'AGENT' || sender.id !== actor.id)
        throw new Problem('forbidden', 'Only the agent who sent a message can delete it');
      const deleted = await tombstoneOne(tx, organizationId, chatId, seq);
      if (!deleted) return;
      await removeFiles(tx, organizationId, { usedBy: [deleted.id], chatId });
      afterCommit(tx, () => this.removals.wake());
      await raiseRev(tx, organizationId, chatId);
      this.events.emit('message.deleted', { organizationId, message: toMessageView(deleted, this.links) }, tx);
    });
  }
}
