import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { Lane } from '../../receivers/lane.js';
import { afterCommit, transaction } from '../../platform/database/transaction.js';
import { addUsage } from '../turns/usage.queries.js';
import { TurnMetrics } from '../turns/turn-metrics.js';
import {
  abortTurns,
  BATCH,
  type ChatOfEvent,
  extendTurn,
  findChatsOfEvents,
  hasWaitingTurn,
  insertTurn,
  lockRules,
  type QueuedEvent,
  removeEvents,
  takeEvents,
  type ToAnswer,
  type TurnRules,
} from './intake.queries.js';

/** What became of some events. */
export interface Intake {
  /** Milliseconds until the new turns begin; null if there are none. */
  delay: number | null;
  /** Chats whose turns were aborted. */
  interrupted: string[];
  hasMore: boolean;
}

/**
 * Makes turns from a connection's events. An event is removed by the transaction that stores its turn, so each visitor's message is
 * answered by one turn, even if the node is lost.
 */
@Injectable()
export class TurnIntake {
  constructor(
    private readonly manager: EntityManager,
    private readonly metrics: TurnMetrics,
  ) {}

  take(lane: Lane): Promise<Intake> {
    return transaction(this.manager, async (tx) => {
      const rules = await lockRules(tx, lane);
      if (!rules) return { delay: null, interrupted: [], hasMore: false };
      const events = await takeEvents(tx, lane);
      const { organizationId } = lane;
      const chats = await findChatsOfEvents(tx, organizationId, [...new Set(events.map(({ chatId }) => chatId))]);
      const wanted = events.flatMap((event) => toAnswer(organizationId, event, chats.get(event.chatId), rules));
      const interrupted: string[] = [];
      for (const to of wanted) if (await this.store(tx, to, rules)) interrupted.push(to.chatId);
      if (events.length > 0)
        await removeEvents(
          tx,
          lane,
          events.map(({ id }) => id),
        );
      const delay = rules.onNewMessage === 'collect' ? rules.collectFor : 0;
      return { delay: wanted.length > 0 ? delay : null, interrupted, hasMore: events.length === BATCH };
    });
  }

  /** Returns whether a turn was aborted. */
  private async store(
    tx: EntityManager,
    to: ToAnswer,
    { kind, onNewMessage, collectFor }: TurnRules,
  ): Promise<boolean> {
    if (await hasWaitingTurn(tx, to)) return false;
    if (onNewMessage === 'queue') {
      await insertTurn(tx, to, to.seq, 0);
      return false;
    }
    if (onNewMessage === 'collect') {
      if (!(await extendTurn(tx, to, collectFor))) await insertTurn(tx, to, to.seq, collectFor);
      return false;
    }
    const aborted = await abortTurns(tx, to);
    await insertTurn(tx, to, Math.min(aborted?.firstSeq ?? to.seq, to.seq), 0);
    if (!aborted) return false;
    afterCommit(tx, () => this.metrics.onAborted(kind, aborted));
    await addUsage(tx, to, { turns: aborted.turns });
    return true;
  }
}

function toAnswer(
  organizationId: string,
  { eventType, chatId, payload, traceparent }: QueuedEvent,
  chat: ChatOfEvent | undefined,
  { botId, isFirst }: TurnRules,
): ToAnswer[] {
  const isResponsible = chat?.botId === botId || (chat?.botId === null && isFirst);
  if (!chat?.isOfBots || !isResponsible) return [];
  const seq = eventType === 'message.created' ? seqOf(payload) : chat.unansweredSeq;
  return seq === null ? [] : [{ organizationId, botId, chatId, seq, traceparent }];
}

function seqOf(payload: string): number {
  return (JSON.parse(payload) as { data: { message: { seq: number } } }).data.message.seq;
}
