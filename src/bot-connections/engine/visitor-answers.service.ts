import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import type { RequestContext } from '../../auth/context/request-context.js';
import { type StoringVisitor, StorageQuota } from '../../auth/limits/storage-quota.js';
import { VisitorQueue } from '../../auth/limits/visitor-queue.js';
import { ownerOf } from '../../chats/model/chat-status.js';
import { ChatTransitions } from '../../chats/moves/chat-transitions.service.js';
import { StoppedAnswers } from '../../live/typing/stopped-answers.js';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { POOL } from '../../platform/database/pool.js';
import { transaction } from '../../platform/database/transaction.js';
import { notFound, Problem } from '../../platform/errors/problem.js';
import '../connections/connections.events.js';
import { TurnRecords } from '../endings/turn-records.js';
import { isEndpoint } from '../model/connection.js';
import { findChatOfTurn, lockTurn } from '../turns/take.queries.js';
import { findBegun, findLastTurn, isConnected, type LastTurn, repeatTurn, stopTurn } from './answers.queries.js';

/** Trying again makes a bot ask its endpoint, like a message. */
const COUNTED = { messages: 1, bytes: 0 } as const;
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
    @Inject(POOL) private readonly pool: Pool,
    private readonly transitions: ChatTransitions,
    private readonly records: TurnRecords,
    private readonly quota: StorageQuota,
    private readonly queue: VisitorQueue,
    private readonly stopped: StoppedAnswers,
    private readonly events: DomainEventBus,
  ) {}

  /** Whether a chat has answers that can be stopped and tried again, while the bots have it. */
  areOffered(organizationId: string, chatId: string): Promise<boolean> {
    return isConnected(this.pool, organizationId, chatId);
  }

  /**
   * Stops the answer that's being written. Its run ends on any node within a second. Returns whether there is one. A bot that calls the
   * bot API learns of it with its next live text, and whether it writes isn't known here.
   * @throws Problem not_found; conflict while the bots don't have the chat
   */
  async stop(visitor: AskingVisitor, context: RequestContext, chatId: string): Promise<boolean> {
    const isStopped = await this.stopTurn(visitor, context, chatId);
    if (!isStopped) await this.stopped.stop(visitor.organizationId, chatId);
    return isStopped;
  }

  private stopTurn(visitor: AskingVisitor, context: RequestContext, chatId: string): Promise<boolean> {
    return this.inOwnChat(visitor, context, chatId, async (tx) => {
      const { organizationId } = visitor;
      const key = await findBegun(tx, organizationId, chatId);
      const turn = key && (await lockTurn(tx, key));
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
   * Makes a turn for the messages that the chat's last turn has answered. Changes nothing while there is one already.
   * @throws Problem not_found; conflict if the last answer can't be repeated; rate_limited after too many turns in the chat, or if it
   * exceeds an anonymous visitor's quota
   */
  retry(visitor: AskingVisitor, context: RequestContext, chatId: string): Promise<void> {
    return this.inOwnChat(visitor, context, chatId, async (tx) => {
      const { organizationId } = visitor;
      const last = await findLastTurn(tx, organizationId, chatId);
      if (last?.status === 'WAITING' || last?.status === 'RUNNING') return;
      if (!last || !(await this.mayRepeat(tx, last)))
        throw new Problem('conflict', 'There is no answer that can be tried again');
      await this.quota.store(visitor, COUNTED, () => repeatTurn(tx, last, context.traceparent));
      this.events.emit('turns.changed', { organizationId, chatId }, tx);
    });
  }

  private async mayRepeat(tx: EntityManager, last: LastTurn): Promise<boolean> {
    const { kind, isEnabled, isPassed, status } = last;
    // The visitor's next message answers a question.
    if (kind === null || !isEndpoint(kind) || !isEnabled || isPassed || status === 'INTERRUPTED') return false;
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
