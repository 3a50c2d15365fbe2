import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { RequestContext } from '../../auth/context/request-context.js';
import { type StoringVisitor, StorageQuota } from '../../auth/limits/storage-quota.js';
import { VisitorQueue } from '../../auth/limits/visitor-queue.js';
import '../../bots/bots.events.js';
import { ownerOf } from '../../chats/model/chat-status.js';
import { ChatTransitions } from '../../chats/moves/chat-transitions.service.js';
import '../../groups/groups.events.js';
import { LiveUpdates } from '../../live/feeds/live-updates.js';
import { StoppableAnswers } from '../../live/typing/stoppable-answers.js';
import { ALL_NODES } from '../../platform/cluster/other-nodes.js';
import { DomainEventBus, OnDomainEvent } from '../../platform/database/domain-events.js';
import { transaction } from '../../platform/database/transaction.js';
import { notFound, Problem } from '../../platform/errors/problem.js';
import '../connections/connections.events.js';
import { type ConnectionRow, lockConnection } from '../connections/connections.queries.js';
import { TurnRecords } from '../endings/turn-records.js';
import { isEndpoint } from '../model/connection.js';
import { findChatOfTurn, lockTurn } from '../turns/take.queries.js';
import {
  findBegun,
  findLastTurn,
  type LastTurn,
  removeReturns,
  repeatTurn,
  stopAnswers,
  stopTurn,
} from './answers.queries.js';

/** What trying again takes of the visitor's quota: it makes a bot ask its endpoint, as a message does. */
const COUNTED = { messages: 1, bytes: 0 } as const;
/** How often an answer can be tried again. */
const MAX_REPEATS = 30;
/** Seconds that a chat with too many turns should wait. */
const RETRY_AFTER_SECONDS = 60;

/** The visitor who asks. */
interface AskingVisitor extends StoringVisitor {
  visitorId: string;
}

/** What visitors do with the answers of bots by address: they stop them, and try again (CONTRACT: Bots by address). */
@Injectable()
export class VisitorAnswers {
  constructor(
    private readonly manager: EntityManager,
    private readonly transitions: ChatTransitions,
    private readonly records: TurnRecords,
    private readonly quota: StorageQuota,
    private readonly queue: VisitorQueue,
    private readonly stoppable: StoppableAnswers,
    private readonly events: DomainEventBus,
    private readonly updates: LiveUpdates,
  ) {}

  /** Lets visitors know on every node whether they can stop answers and try again. */
  @OnDomainEvent('bot.deleted')
  @OnDomainEvent('connection.changed')
  @OnDomainEvent('group.changed')
  onConnectionChanged({ organizationId }: { organizationId: string }): Promise<void> {
    return this.updates.deliver(ALL_NODES, 'connections.changed', { organizationId });
  }

  /**
   * Stops the answer that's being written, on any node within a second. A bot that calls the bot API learns of it from the response to its
   * next live text, even after a restart, for 60 s. Returns whether an answer was being written that can be stopped.
   * @throws Problem not_found; conflict while the bots don't have the chat
   */
  async stop(visitor: AskingVisitor, context: RequestContext, chatId: string): Promise<boolean> {
    return (await this.stopTurn(visitor, context, chatId)) || (await this.stoppable.has(chatId));
  }

  private stopTurn(visitor: AskingVisitor, context: RequestContext, chatId: string): Promise<boolean> {
    return this.inOwnChat(visitor, context, chatId, async (tx) => {
      const { organizationId } = visitor;
      const key = await findBegun(tx, organizationId, chatId);
      const turn = key && (await lockTurn(tx, key));
      await stopAnswers(tx, { organizationId, chatId, seq: turn?.lastSeq ?? null });
      if (turn?.status === 'RUNNING') {
        if (!turn.isStopped) await stopTurn(tx, turn);
        this.events.emit('turns.changed', { organizationId, chatId }, tx);
        return true;
      }
      if (turn?.status !== 'WAITING') return false;
      // Between two tries, there's no run.
      await this.records.end(tx, turn, 'CANCELLED', { outcome: 'CANCELLED', record: null });
      return true;
    });
  }

  /**
   * Makes a turn for the messages that the chat's last turn has answered. Changes nothing while a turn waits or runs. If agents have
   * returned the chat, the new turn also takes the place of the one that would follow from that.
   * @throws Problem not_found; conflict if the last answer can't be repeated; rate_limited after too many turns in the chat, or if it
   * exceeds an anonymous visitor's quota
   */
  retry(visitor: AskingVisitor, context: RequestContext, chatId: string): Promise<void> {
    return this.inOwnChat(visitor, context, chatId, async (tx) => {
      const { organizationId } = visitor;
      const found = await findLastTurn(tx, organizationId, chatId);
      // One transaction at a time makes a connection's turns.
      const connection = found && (await lockConnection(tx, organizationId, found.botId));
      const last = await findLastTurn(tx, organizationId, chatId);
      if (last?.status === 'WAITING' || last?.status === 'RUNNING') return;
      if (!last || !connection || last.botId !== connection.botId || !(await this.mayRepeat(tx, last, connection)))
        throw new Problem('conflict', 'There is no answer that can be tried again');
      await this.quota.store(visitor, COUNTED, () => repeatTurn(tx, last, context.traceparent));
      await removeReturns(tx, connection, chatId);
      this.events.emit('turns.changed', { organizationId, chatId }, tx);
    });
  }

  private async mayRepeat(tx: EntityManager, last: LastTurn, { kind, isEnabled }: ConnectionRow): Promise<boolean> {
    const { isPassed, hasQuestion, replaces, status } = last;
    if (!isEndpoint(kind) || !isEnabled || isPassed || !hasQuestion || replaces.length >= MAX_REPEATS) return false;
    // It ended with a question, which the visitor's next message answers.
    if (status === 'INTERRUPTED') return false;
    const chat = await findChatOfTurn(tx, last);
    if (!chat?.isOfBot || chat.isAskedFor) return false;
    if (chat.hasTooMany)
      throw new Problem('rate_limited', 'The chat had too many answers', undefined, RETRY_AFTER_SECONDS);
    return true;
  }

  private inOwnChat<T>(
    { organizationId, visitorId: id, limitKey }: AskingVisitor,
    context: RequestContext,
    chatId: string,
    work: (tx: EntityManager) => Promise<T>,
  ): Promise<T> {
    return this.queue.run(limitKey, () =>
      transaction(this.manager, async (tx) => {
        const named: RequestContext = { ...context, organizationId, actor: { type: 'VISITOR', id, name: null } };
        const chat = await this.transitions.lockExisting(tx, named, chatId);
        if (chat.visitorId !== id) notFound('Chat');
        if (ownerOf(chat.status, chat.agentId) !== 'BOT')
          throw new Problem('conflict', 'The bots do not have the chat');
        return work(tx);
      }),
    );
  }
}
