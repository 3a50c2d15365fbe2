import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { queryNamed } from '../../platform/database/transaction.js';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { addLoad, type LockedChat } from './chat-transitions.queries.js';
import '../model/chats.events.js';

const SNOOZE = `
  UPDATE chats SET snoozed_by = agent_id, snoozed_until = $3, rev = rev + 1 WHERE organization_id = $1 AND id = $2`;
const WAKE = `
  UPDATE chats SET snoozed_by = NULL, snoozed_until = NULL, rev = rev + 1 WHERE organization_id = $1 AND id = $2`;

/**
 * Snoozed chats (CONTRACT: Who has a chat): they stay with their agents, but take no capacity. Both methods take a chat that is locked
 * in the transaction of `tx` and has an agent.
 */
@Injectable()
export class ChatSnoozes {
  constructor(private readonly events: DomainEventBus) {}

  /** @param until null: until the visitor writes */
  async snooze(tx: EntityManager, organizationId: string, chat: LockedChat, until: Date | null): Promise<void> {
    await queryNamed(tx, { name: 'snooze-chat', text: SNOOZE, values: [organizationId, chat.id, until] });
    await this.change(tx, organizationId, chat, chat.isSnoozed ? 0 : -1);
    if (!chat.isSnoozed) this.events.emit('queue.changed', { organizationId }, tx);
  }

  async wake(tx: EntityManager, organizationId: string, chat: LockedChat): Promise<void> {
    await queryNamed(tx, { name: 'wake-chat', text: WAKE, values: [organizationId, chat.id] });
    await this.change(tx, organizationId, chat, 1);
  }

  private async change(tx: EntityManager, organizationId: string, { id, agentId, now }: LockedChat, chats: number) {
    await addLoad(tx, organizationId, [{ agentId: agentId!, chats, offers: 0 }], now);
    this.events.emit('chat.changed', { organizationId, chatId: id }, tx);
  }
}
