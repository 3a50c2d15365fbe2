import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { violatedConstraint } from '../../platform/database/database-problem.js';
import { transaction } from '../../platform/database/transaction.js';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import '../model/chats.events.js';
import { lockToMerge, moveOpenChats } from './visitor-merge.queries.js';

/** Moves an anonymous visitor's chats to the person they identify as. */
@Injectable()
export class VisitorMergeService {
  constructor(
    private readonly manager: EntityManager,
    private readonly events: DomainEventBus,
  ) {}

  /**
   * Moves an anonymous visitor's open chats to a signed person. Never moves the chats of another signed person: on a shared
   * computer, the token may belong to the previous person.
   */
  async merge(organizationId: string, from: string, to: string): Promise<void> {
    const move = () =>
      transaction(this.manager, async (tx) =>
        (await lockToMerge(tx, organizationId, from, to)) ? moveOpenChats(tx, organizationId, from, to) : [],
      );
    const moved = await move().catch((error: unknown) => {
      // A message with the same clientMessageId was stored concurrently. The second attempt sees it.
      if (violatedConstraint(error) !== 'uq_messages_client_message_id') throw error;
      return move();
    });
    for (const chatId of moved) {
      this.events.emit('chat.takenOver', { chatId, visitorId: from });
      this.events.emit('chat.changed', { organizationId, chatId });
    }
  }
}
