import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { type RequestContext, systemContext } from '../auth/context/request-context.js';
import { type StoringVisitor, StorageQuota } from '../auth/limits/storage-quota.js';
import { VisitorQueue } from '../auth/limits/visitor-queue.js';
import { ownerOf } from '../chats/model/chat-status.js';
import { ChatTransitions } from '../chats/moves/chat-transitions.service.js';
import { queueChatEvent } from '../chats/reading/chat-events.queries.js';
import type { ChatState } from '../chats/reading/chat-state.js';
import { ChatsService } from '../chats/reading/chats.service.js';
import { WidgetSettingsService } from '../organizations/widget-settings.service.js';
import '../receivers/deliveries.events.js';
import { DomainEventBus } from '../platform/database/domain-events.js';
import { transaction } from '../platform/database/transaction.js';
import { notFound, Problem } from '../platform/errors/problem.js';
import { findPersonRequest, insertPersonRequest, removePersonRequest } from './handoffs.queries.js';
import type { DueChat } from './handoff-timers.queries.js';
import { TransferService } from './transfer.service.js';

/** How long the bots may take to react, in seconds. */
const REACTION_SECONDS = 10;

/** A request is an event like a message, so it counts as one. */
const COUNTED = { messages: 1, bytes: 0 } as const;

/** The visitor who asks. */
interface AskingVisitor extends StoringVisitor {
  visitorId: string;
}

/**
 * Visitors who ask for a person (CONTRACT: Asking for a person). The bots are notified. If none transfers the chat, ends it, or writes in
 * time, the chat is transferred to the agents of its group.
 */
@Injectable()
export class PersonRequestsService {
  constructor(
    private readonly manager: EntityManager,
    private readonly chats: ChatsService,
    private readonly transitions: ChatTransitions,
    private readonly transfers: TransferService,
    private readonly settings: WidgetSettingsService,
    private readonly quota: StorageQuota,
    private readonly turns: VisitorQueue,
    private readonly events: DomainEventBus,
  ) {}

  /**
   * Asks for a person in the visitor's own chat. Changes nothing while the bots were asked already, or an agent has the chat, or
   * will get it. @throws Problem not_found; handoff_off if the organization doesn't offer it; conflict for a chat that has ended;
   * rate_limited if it exceeds an anonymous visitor's quota
   */
  request(visitor: AskingVisitor, context: RequestContext, chatId: string): Promise<ChatState> {
    const { organizationId, visitorId, limitKey } = visitor;
    return this.turns.run(limitKey, async () => {
      const { visitorName } = await this.chats.getOfVisitor(organizationId, visitorId, chatId);
      const named: RequestContext = { ...context, actor: { type: 'VISITOR', id: visitorId, name: visitorName } };
      const isUnheard = await transaction(this.manager, (tx) => this.store(tx, visitor, named, chatId));
      if (isUnheard) await this.end(organizationId, chatId).catch(ignoreRemoved);
      return this.chats.getState(organizationId, chatId);
    });
  }

  /** Ends a request that is due: transfers the chat unless a bot has reacted. @throws Problem not_found while its group is removed */
  transfer({ organizationId, chatId }: DueChat): Promise<void> {
    return this.end(organizationId, chatId, true);
  }

  private async end(organizationId: string, chatId: string, isDueOnly = false): Promise<void> {
    const request = await findPersonRequest(this.manager, organizationId, chatId);
    // Another node may have ended the listed request, and the visitor may have asked again.
    if (!request || (isDueOnly && !request.isDue)) return;
    const { groupId, visitorId, visitorName, requestedAt, isAnswered } = request;
    const actor = { type: 'VISITOR', id: visitorId, name: visitorName } as const;
    const body = { chatId, targetGroupId: groupId, ifOwner: 'BOT' } as const;
    if (!isAnswered)
      await this.transfers.transfer({ ...systemContext(organizationId), actor }, body, null).catch(ignoreOwner);
    await removePersonRequest(this.manager, organizationId, chatId, requestedAt);
  }

  // Returns whether no webhook and no bot gets the event, so that nothing can react.
  private async store(
    tx: EntityManager,
    visitor: AskingVisitor,
    context: RequestContext,
    chatId: string,
  ): Promise<boolean> {
    const { organizationId, traceparent, actor } = context;
    const chat = await this.transitions.lockExisting(tx, context, chatId);
    if (chat.visitorId !== actor.id) notFound('Chat');
    const { personAfter } = await this.settings.get(organizationId, tx);
    if (personAfter === null)
      throw new Problem('handoff_off', 'The organization does not let visitors ask for a person');
    const owner = ownerOf(chat.status, chat.agentId);
    if (owner === 'NOBODY') throw new Problem('conflict', 'The chat has ended');
    if (owner !== 'BOT') return false;
    const dueAt = new Date(chat.now.getTime() + REACTION_SECONDS * 1000);
    if (!(await insertPersonRequest(tx, organizationId, chat, dueAt))) return false;
    const more = { by: actor, transfersAt: dueAt };
    const lanes = await this.quota.store(visitor, COUNTED, () =>
      queueChatEvent(tx, organizationId, chatId, 'handoff.requested', traceparent, more),
    );
    if (lanes.length > 0) this.events.emit('deliveries.queued', { lanes }, tx);
    return lanes.length === 0;
  }
}

// The bots no longer have the chat, or its visitor was erased. The request stays if its group was removed: the chat has another one by now.
function ignoreOwner(error: unknown): void {
  if (!(error instanceof Problem) || error.status >= 500 || error.code === 'not_found') throw error;
}

// The timer transfers the chat to its next group.
function ignoreRemoved(error: unknown): void {
  if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
}
