import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { isReturn } from '../../receivers/event-type.js';
import type { Lane } from '../../receivers/lane.js';
import { afterCommit, transaction } from '../../platform/database/transaction.js';
import { addUsage } from '../turns/usage.queries.js';
import { TurnMetrics } from '../turns/turn-metrics.js';
import {
  type Aborted,
  abortTurns,
  BATCH,
  type ChatOfEvent,
  extendTurn,
  findChatsOfEvents,
  hasEndedTurn,
  hasWaitingTurn,
  insertTurn,
  isAnswered,
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
      const interrupted: string[] = [];
      let hasNew = false;
      for (const event of events) {
        const asked = toAnswer(organizationId, event, chats.get(event.chatId), rules);
        const ended = await this.endBeforeReturn(tx, organizationId, event, rules);
        // A turn that handed the chat over would do so again each time that no agent takes it.
        const isRepeat = asked && event.eventType === 'chat.unanswered' && (await hasEndedTurn(tx, asked));
        const wanted = isRepeat ? null : asked;
        const hasAborted = wanted !== null && (await this.store(tx, wanted, rules, ended?.openSeq ?? wanted.seq));
        if (ended || hasAborted) interrupted.push(event.chatId);
        hasNew ||= wanted !== null;
      }
      if (events.length > 0)
        await removeEvents(
          tx,
          lane,
          events.map(({ id }) => id),
        );
      const delay = rules.onNewMessage === 'collect' ? rules.collectFor : 0;
      return { delay: hasNew ? delay : null, interrupted, hasMore: events.length === BATCH };
    });
  }

  /**
   * Aborts the turns that were made before the chat left the bots, even if the node of a run hasn't noticed that: the returned chat has a
   * turn of its own. Null if there were none. `openSeq`: their first message, unless an agent or a bot has written since.
   */
  private async endBeforeReturn(
    tx: EntityManager,
    organizationId: string,
    { eventType, chatId }: QueuedEvent,
    rules: TurnRules,
  ): Promise<{ openSeq: number | null } | null> {
    if (!isReturn(eventType)) return null;
    const aborted = await this.abort(tx, { organizationId, chatId, botId: rules.botId }, rules);
    if (!aborted) return null;
    return { openSeq: (await isAnswered(tx, organizationId, chatId, aborted.firstSeq)) ? null : aborted.firstSeq };
  }

  /** Returns whether a turn was aborted. @param from the first message that the turn answers */
  private async store(tx: EntityManager, to: ToAnswer, rules: TurnRules, from: number): Promise<boolean> {
    const { onNewMessage, collectFor } = rules;
    if (await hasWaitingTurn(tx, to)) return false;
    if (onNewMessage === 'queue') {
      await insertTurn(tx, to, from, 0);
      return false;
    }
    if (onNewMessage === 'collect') {
      if (!(await extendTurn(tx, to, collectFor))) await insertTurn(tx, to, from, collectFor);
      return false;
    }
    const aborted = await this.abort(tx, to, rules);
    await insertTurn(tx, to, Math.min(aborted?.firstSeq ?? to.seq, from), 0);
    return aborted !== null;
  }

  private async abort(
    tx: EntityManager,
    of: Parameters<typeof abortTurns>[1],
    { kind }: TurnRules,
  ): Promise<Aborted | null> {
    const aborted = await abortTurns(tx, of);
    if (!aborted) return null;
    afterCommit(tx, () => this.metrics.onAborted(kind, aborted));
    await addUsage(tx, of, { turns: aborted.turns });
    return aborted;
  }
}

function toAnswer(
  organizationId: string,
  { eventType, chatId, payload, traceparent }: QueuedEvent,
  chat: ChatOfEvent | undefined,
  { botId, isFirst }: TurnRules,
): ToAnswer | null {
  const isResponsible = chat?.botId === botId || (chat?.botId === null && isFirst);
  if (!chat?.isOfBots || !isResponsible) return null;
  const seq = eventType === 'message.created' ? seqOf(payload) : chat.unansweredSeq;
  return seq === null ? null : { organizationId, botId, chatId, seq, traceparent };
}

function seqOf(payload: string): number {
  return (JSON.parse(payload) as { data: { message: { seq: number } } }).data.message.seq;
}
