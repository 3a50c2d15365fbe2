import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { violatedConstraint } from '../platform/database/database-problem.js';
import { transaction } from '../platform/database/transaction.js';
import { DomainEventBus } from '../platform/lib/domain-events.js';
import './chats.events.js';
import { lockToMerge, moveOpenChats } from './visitor-merge.queries.js';

/** Lets a visitor who says who they are take along what they began as nobody in particular. */
@Injectable()
export class VisitorMergeService {
  constructor(
    private readonly manager: EntityManager,
    private readonly events: DomainEventBus,
  ) {}

  /**
   * Moves the open chats of an anonymous visitor to a person who is known. Never those of another known person: on a
   * computer that is shared, the token may be of who sat there before.
   */
  async merge(organizationId: string, from: string, to: string): Promise<void> {
    const move = () =>
      transaction(this.manager, async (tx) =>
        (await lockToMerge(tx, organizationId, from, to)) ? moveOpenChats(tx, organizationId, from, to) : [],
      );
    const moved = await move().catch((error: unknown) => {
      // A message of the same name was being stored for the other visitor: now it can be seen.
      if (violatedConstraint(error) !== 'uq_messages_client_message_id') throw error;
      return move();
    });
    for (const chatId of moved) this.events.emit('chat.visitorChanged', { chatId, visitorId: from });
  }
}
