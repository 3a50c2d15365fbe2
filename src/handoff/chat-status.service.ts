import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { RequestContext } from '../auth/context/request-context.js';
import { type ChatStatus, isOpen } from '../chats/model/chat-status.js';
import { checkOwnerLocked, requiredOwner } from '../chats/moves/chat-problems.js';
import type { LockedChat } from '../chats/moves/chat-transitions.queries.js';
import { ChatTransitions } from '../chats/moves/chat-transitions.service.js';
import { ClosingService } from '../messages/closing.service.js';
import { transaction } from '../platform/database/transaction.js';
import { HandoffsService } from './handoffs.service.js';

/** A chat that has ended. */
export interface ClosedChat {
  chatId: string;
  owner: 'NOBODY';
}

/** Changes a chat's status for administrators and bots (CONTRACT: Who has a chat). The status decides who has the chat. */
@Injectable()
export class ChatStatusService {
  constructor(
    private readonly manager: EntityManager,
    private readonly transitions: ChatTransitions,
    private readonly closing: ClosingService,
    private readonly handoffs: HandoffsService,
  ) {}

  /**
   * Does nothing if the chat already has this status, or none is given. A waiting chat that becomes ACTIVE returns to the bots, or keeps waiting if
   * there are none. A chat that becomes QUEUED leaves its agent.
   * @param before called once the chat is locked, before its status changes; it may throw, and change more of the chat
   * @throws Problem not_found; conflict for a chat whose visitor was erased, which stays archived
   */
  async change(
    context: RequestContext,
    id: string,
    status: ChatStatus | undefined,
    before: (tx: EntityManager) => Promise<void>,
  ): Promise<void> {
    await transaction(this.manager, async (tx) => {
      const { chat, hasBot } = await this.transitions.lockWithBot(tx, context, id);
      await before(tx);
      if (status !== undefined && chat.status !== status) await this.changeLocked(tx, context, chat, status, hasBot);
    });
  }

  /**
   * Closes a chat for a bot. Does nothing for one that has ended, so a retry gets the same answer.
   * @throws Problem not_found; not_owner; conflict for a chat whose visitor was erased
   */
  async close(context: RequestContext, chatId: string, ifOwner?: 'BOT' | null): Promise<ClosedChat> {
    await transaction(this.manager, async (tx) => {
      const chat = await this.transitions.lock(tx, context, chatId);
      if (!isOpen(chat.status)) return;
      await checkOwnerLocked(tx, requiredOwner(context, ifOwner), context.organizationId, chat, context.actor);
      await this.closing.close(tx, context, chat);
    });
    return { chatId, owner: 'NOBODY' };
  }

  private async changeLocked(
    tx: EntityManager,
    context: RequestContext,
    chat: LockedChat,
    status: ChatStatus,
    hasBot: boolean,
  ): Promise<void> {
    switch (status) {
      case 'CLOSED':
        return this.closing.close(tx, context, chat);
      case 'ARCHIVED':
        return this.transitions.archive(tx, context, chat);
      case 'ACTIVE':
        if (!isOpen(chat.status)) return this.closing.reopen(tx, context, chat, hasBot);
        if (hasBot) await this.handoffs.move(tx, context, chat, { type: 'RETURN', note: null });
        return;
      case 'QUEUED':
        if (!isOpen(chat.status)) return this.closing.reopen(tx, context, chat, false);
        return void (await this.transitions.queue(tx, context, chat, { groupId: chat.groupId }));
    }
  }
}
