import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import type { RequestContext } from '../../auth/context/request-context.js';
import { BotMetrics } from '../../bots/bot-metrics.js';
import type { LockedChat } from '../../chats/moves/chat-transitions.queries.js';
import type { Named } from '../../chats/reading/chat-state.js';
import { HandoffsService } from '../../handoff/handoffs.service.js';
import { ClosingService } from '../../messages/closing.service.js';
import { POOL } from '../../platform/database/pool.js';
import { afterCommit, transaction } from '../../platform/database/transaction.js';
import type { Asking, Conversation, Reply } from '../model/conversation.js';
import { type FailureCode, RunFailure } from '../model/turn.js';
import type { Run } from '../turns/run.js';
import { addToTurn, recordHealth, type RunEnd } from '../turns/runs.queries.js';
import { type LockedTurn, lockTurn, type TurnKey, waitForRun } from '../turns/take.queries.js';
import { findTranscript, storeTranscript } from '../turns/transcripts.queries.js';
import {
  failedEnd,
  firstTokenOf,
  isEmpty,
  isTooOld,
  outcomeOf,
  reasonOf,
  retrySeconds,
  statusOf,
  wishedGroup,
  withMessages,
} from './ending-rules.js';
import { ReplyStorage } from './reply-storage.js';
import { TurnLocks } from './turn-locks.js';
import { type Next, TurnRecords } from './turn-records.js';

/** Messages of a locked turn. */
interface Said {
  turn: LockedTurn;
  chat: LockedChat;
  context: RequestContext;
  texts: string[];
}

/**
 * Ends runs and turns. Each end is one transaction, which locks the group that may get the chat, the chat, and the turn, in this order.
 * A run that isn't the turn's anymore changes nothing.
 */
@Injectable()
export class TurnEndings {
  private readonly logger = new Logger(TurnEndings.name);

  constructor(
    private readonly manager: EntityManager,
    @Inject(POOL) private readonly pool: Pool,
    private readonly locks: TurnLocks,
    private readonly records: TurnRecords,
    private readonly handoffs: HandoffsService,
    private readonly closing: ClosingService,
    private readonly storage: ReplyStorage,
    private readonly metrics: BotMetrics,
  ) {}

  /** Stores a reply, and ends the run with it. Returns null if the turn isn't the run's anymore. @throws RunFailure */
  async finish(run: Run, reply: Reply, conversation: Conversation): Promise<Next | null> {
    const next = await transaction(this.manager, async (tx): Promise<Next | null> => {
      const wished = wishedGroup(reply, run.connection.settings);
      const group = await this.locks.findTarget(tx, run.turn.organizationId, wished);
      const locked = await this.locks.lock(tx, run.turn, run.context, run);
      if (!locked) return null;
      const record = run.record(reply.usage, reply.warnings);
      if (!locked.chat) return this.records.end(tx, locked.turn, 'ABORTED', { outcome: 'ABORTED', record });
      const { turn, chat, isSameEndpoint } = locked;
      if (isEmpty(reply) && turn.messageIds.length === 0) throw new RunFailure('empty', 'answered with nothing', 200);
      const stored = await this.storage.store(tx, run, { turn, chat }, reply, conversation);
      await this.records.keep(tx, run, turn, stored, { reply, record, isSameEndpoint });
      // No step follows, but the transcript has the answers to the calls.
      if (stored.hasNextStep && turn.isStopped)
        return this.records.end(tx, turn, 'CANCELLED', { outcome: 'CANCELLED', record });
      if (stored.hasNextStep && !isSameEndpoint) return this.records.beginAgain(tx, turn, record);
      if (stored.hasNextStep) return this.records.nextStep(tx, run, turn, record);
      if (stored.handOver) await this.move(tx, run.context, chat, group, stored.handOver);
      if (stored.isClosed) await this.closing.close(tx, run.context, chat);
      return this.records.end(tx, turn, statusOf(stored, reply), outcomeOf(stored, reply, record));
    });
    if (next) await this.recordHealth(run, null);
    return next;
  }

  /** Ends a run that has failed, or a turn that can't begin: another run follows, or agents get the chat. */
  async fail(
    key: TurnKey,
    failure: RunFailure,
    { run = null, mayRetry = false, texts = [] }: { run?: Run | null; mayRetry?: boolean; texts?: string[] } = {},
  ): Promise<Next | null> {
    const ended = await transaction(this.manager, async (tx): Promise<Next | null> => {
      const { settings, context } = await this.locks.readSettings(tx, key);
      const group = await this.locks.findTarget(tx, key.organizationId, settings.failure?.targetGroupId ?? null);
      const locked = await this.locks.lock(tx, key, context, run);
      if (!locked) return null;
      const { turn, chat } = locked;
      const end = failedEnd(failure, run);
      if (!chat) return this.records.end(tx, turn, 'ABORTED', end);
      if (turn.isStopped) return this.endStopped(tx, { turn, chat, context, texts: run?.textsSoFar() ?? [] }, end);
      const mayFollow = mayRetry && failure.isPassing && texts.length === 0;
      if (mayFollow && turn.tries < settings.tries && !isTooOld(turn)) {
        await waitForRun(tx, turn, { tries: turn.tries, seconds: retrySeconds(failure, turn) });
        await this.records.endRun(tx, turn, end);
        return { status: 'WAITING' };
      }
      const { sentence } = settings.failure ?? {};
      await this.say(tx, { turn, chat, context, texts: [...texts, ...(sentence === undefined ? [] : [sentence])] });
      const summary = `The bot's endpoint failed. Code: ${failure.code}. Tries: ${turn.tries}.`;
      await this.move(tx, context, chat, group, { reason: reasonOf(settings.failure), summary }, failure.code);
      return this.records.end(tx, turn, 'FAILED', end, failure.code);
    });
    if (ended && 'status' in ended && ended.status === 'FAILED' && run) await this.recordHealth(run, failure);
    return ended;
  }

  /** Hands over a chat whose connection was paused or deleted. */
  handOver(key: TurnKey, run: Run | null = null): Promise<Next | null> {
    return transaction(this.manager, async (tx) => {
      const { settings, context } = await this.locks.readSettings(tx, key);
      const group = await this.locks.findTarget(tx, key.organizationId, settings.failure?.targetGroupId ?? null);
      const locked = await this.locks.lock(tx, key, context, run);
      if (!locked) return null;
      const { turn, chat } = locked;
      const end = { outcome: 'ABORTED', record: run?.record() ?? null } as const;
      if (!chat) return this.records.end(tx, turn, 'ABORTED', end);
      await this.move(tx, context, chat, group, { reason: reasonOf(settings.failure), summary: null });
      return this.records.end(tx, turn, 'HANDED_OVER', end);
    });
  }

  /** Ends a turn whose chat isn't the bot's anymore. */
  abort(run: Run): Promise<Next | null> {
    return transaction(this.manager, async (tx) => {
      const turn = await lockTurn(tx, run.turn);
      if (turn?.runId !== run.id) return null;
      return this.records.end(tx, turn, 'ABORTED', { outcome: 'ABORTED', record: run.record() });
    });
  }

  /** Ends a run that the visitor stopped. What the visitor could read by then is stored. */
  cancel(run: Run, texts: string[]): Promise<Next | null> {
    return transaction(this.manager, async (tx) => {
      const locked = await this.locks.lock(tx, run.turn, run.context, run);
      if (!locked) return null;
      const { turn, chat, isSameEndpoint } = locked;
      const record = run.record();
      if (!chat) return this.records.end(tx, turn, 'ABORTED', { outcome: 'ABORTED', record });
      const { context } = run;
      if (isSameEndpoint) await this.keepRemoteId(tx, run);
      return this.endStopped(
        tx,
        { turn, chat, context, texts },
        { outcome: 'CANCELLED', record },
        firstTokenOf(run, record),
      );
    });
  }

  /** Leaves a run to another node. It doesn't count as a try. */
  async giveBack(run: Run): Promise<void> {
    await transaction(this.manager, async (tx) => {
      const turn = await lockTurn(tx, run.turn);
      if (turn?.runId !== run.id) return;
      if (turn.isStopped) {
        await this.records.end(tx, turn, 'CANCELLED', { outcome: 'CANCELLED', record: run.record() });
        return;
      }
      await this.records.endRun(tx, turn, { outcome: 'GIVEN_BACK', record: run.record() });
      await waitForRun(tx, turn, { tries: turn.tries - 1, seconds: 0 });
    });
  }

  /** Asks the visitor a further question before the next run. */
  ask(run: Run, asking: Asking): Promise<Next | null> {
    return transaction(this.manager, async (tx): Promise<Next | null> => {
      const locked = await this.locks.lock(tx, run.turn, run.context, run);
      if (!locked) return null;
      const { turn, chat, isSameEndpoint } = locked;
      if (!chat) return this.records.end(tx, turn, 'ABORTED', { outcome: 'ABORTED', record: run.record() });
      // The questions are of an endpoint that the bot no longer has.
      if (!isSameEndpoint) return this.records.beginAgain(tx, turn, run.record());
      const questions = await this.storage.askNext(tx, run, { turn, chat }, asking);
      const { organizationId, chatId } = run.key;
      const ids = [questions.messageId];
      await addToTurn(tx, organizationId, turn.id, { messageIds: ids, usage: turn.usage, firstTokenMs: null });
      const before = await findTranscript(tx, organizationId, chatId, run.connection.id);
      const transcript = { ...before, entries: withMessages(before.entries, ids), questions };
      await storeTranscript(tx, { organizationId, chatId }, run.connection.id, transcript);
      return this.records.end(tx, turn, 'INTERRUPTED', { outcome: 'INTERRUPTED', record: run.record() });
    });
  }

  // The end is committed by then, and may name the next run, which must begin.
  private async recordHealth({ key, connection }: Run, failure: RunFailure | null): Promise<void> {
    await recordHealth(this.pool, connection, failure).catch((err: unknown) =>
      this.logger.warn({ err, ...key }, 'could not record the health of a connection'),
    );
  }

  // The endpoint keeps what it has said by then. With its id of the conversation, it can be asked to forget that with the chat.
  private async keepRemoteId(tx: EntityManager, { key, connection, remoteId }: Run): Promise<void> {
    if (remoteId === null) return;
    const { organizationId, chatId } = key;
    const before = await findTranscript(tx, organizationId, chatId, connection.id);
    if (before.remoteId === remoteId) return;
    await storeTranscript(tx, { organizationId, chatId }, connection.id, { ...before, remoteId });
  }

  private async endStopped(
    tx: EntityManager,
    said: Said,
    end: RunEnd,
    firstTokenMs: number | null = null,
  ): Promise<Next> {
    await this.say(tx, said, firstTokenMs);
    return this.records.end(tx, said.turn, 'CANCELLED', end);
  }

  /** Stores messages of a turn, without anything for the transcript. */
  private async say(
    tx: EntityManager,
    { turn, chat, context, texts }: Said,
    firstTokenMs: number | null = null,
  ): Promise<void> {
    if (texts.length === 0) return;
    const messageIds = await this.storage.say(tx, { context }, turn, chat, texts);
    await addToTurn(tx, turn.organizationId, turn.id, { messageIds, usage: turn.usage, firstTokenMs });
  }

  private async move(
    tx: EntityManager,
    context: RequestContext,
    chat: LockedChat,
    group: Named | null,
    { reason, summary }: { reason: string | null; summary: string | null },
    code?: FailureCode,
  ): Promise<void> {
    const request = { reason, summary };
    await this.handoffs.move(tx, context, chat, { type: 'TRANSFER', group: group!, request });
    afterCommit(tx, () => this.metrics.onHandedOver(context.actor.id, code));
  }
}
