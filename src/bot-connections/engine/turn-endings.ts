import { Inject, Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { type RequestContext, systemContext } from '../../auth/context/request-context.js';
import { findBot } from '../../bots/bots.queries.js';
import { BotMetrics } from '../../bots/bot-metrics.js';
import type { LockedChat } from '../../chats/moves/chat-transitions.queries.js';
import { ChatTransitions } from '../../chats/moves/chat-transitions.service.js';
import type { Named } from '../../chats/reading/chat-state.js';
import { findGroup } from '../../groups/groups.queries.js';
import { HandoffsService } from '../../handoff/handoffs.service.js';
import { ClosingService } from '../../messages/closing.service.js';
import { POOL } from '../../platform/database/pool.js';
import { afterCommit, transaction } from '../../platform/database/transaction.js';
import { Problem } from '../../platform/errors/problem.js';
import { newId } from '../../platform/lib/ids.js';
import { findConnection } from '../connections/connections.queries.js';
import type { ConnectionSettings } from '../model/connection.js';
import type { Asking, Conversation, Reply } from '../model/conversation.js';
import { limited } from '../model/transcript.js';
import { type FailureCode, RunFailure, type TurnStatus } from '../model/turn.js';
import {
  failedEnd,
  outcomeOf,
  statusOf,
  transcriptAfter,
  withMessages,
  firstTokenOf,
  isEmpty,
  isOpenTo,
  isTooOld,
  reasonOf,
  retrySeconds,
  wishedGroup,
} from './ending-rules.js';
import { ReplyStorage, type Stored } from './reply-storage.js';
import { contextOfBot, type Run, sumOf } from './run.js';
import { addToTurn, endRun, recordHealth, type RunEnd, type RunRecord } from './runs.queries.js';
import {
  beginRun,
  endTurn,
  findChatOfTurn,
  findTurn,
  type LockedTurn,
  lockTurn,
  type TurnKey,
  waitForRun,
} from './take.queries.js';
import { findTranscript, storeTranscript } from './transcripts.queries.js';

/** The most steps of a turn. */
const MAX_STEPS = 8;

/** How a turn goes on. */
export type Next = { status: TurnStatus } | { nextRunId: string };

type Settings = Pick<ConnectionSettings, 'failure' | 'tries'>;

interface Locked {
  turn: LockedTurn;
  /** Null: the bot no longer has the chat, or the chat was removed. */
  chat: LockedChat | null;
}

/**
 * Ends runs and turns. Each end is one transaction, which locks the group that may get the chat, the chat, and the turn, in this order.
 * A run that isn't the turn's anymore changes nothing.
 */
@Injectable()
export class TurnEndings {
  constructor(
    private readonly manager: EntityManager,
    @Inject(POOL) private readonly pool: Pool,
    private readonly transitions: ChatTransitions,
    private readonly handoffs: HandoffsService,
    private readonly closing: ClosingService,
    private readonly storage: ReplyStorage,
    private readonly metrics: BotMetrics,
  ) {}

  /** Stores a reply, and ends the run with it. Returns null if the turn isn't the run's anymore. @throws RunFailure */
  async finish(run: Run, reply: Reply, conversation: Conversation): Promise<Next | null> {
    const next = await transaction(this.manager, async (tx): Promise<Next | null> => {
      const wished = wishedGroup(reply, run.connection.settings);
      const group = await this.findTarget(tx, run.turn.organizationId, wished);
      const locked = await this.lock(tx, run.turn, run.context, run);
      if (!locked) return null;
      const record = run.record(reply.usage, reply.warnings);
      if (!locked.chat) return this.end(tx, locked.turn, 'ABORTED', { outcome: 'ABORTED', record });
      const { turn, chat } = locked;
      if (isEmpty(reply) && turn.messageIds.length === 0) throw new RunFailure('empty', 'answered with nothing', 200);
      const stored = await this.storage.store(tx, run, { turn, chat }, reply, conversation);
      await this.keep(tx, run, turn, stored, { reply, record });
      if (stored.hasNextStep) return this.nextStep(tx, run, turn, record);
      if (stored.handOver) await this.move(tx, run.context, chat, group, stored.handOver);
      if (stored.isClosed) await this.closing.close(tx, run.context, chat);
      return this.end(tx, turn, statusOf(stored, reply), outcomeOf(stored, reply, record));
    });
    if (next) await recordHealth(this.pool, run.connection, null);
    return next;
  }

  /** Ends a run that has failed, or a turn that can't begin: another run follows, or agents get the chat. */
  async fail(
    key: TurnKey,
    failure: RunFailure,
    { run = null, mayRetry = false, texts = [] }: { run?: Run | null; mayRetry?: boolean; texts?: string[] } = {},
  ): Promise<Next | null> {
    const ended = await transaction(this.manager, async (tx): Promise<Next | null> => {
      const { settings, context } = await this.readSettings(tx, key);
      const group = await this.findTarget(tx, key.organizationId, settings.failure?.targetGroupId ?? null);
      const locked = await this.lock(tx, key, context, run);
      if (!locked) return null;
      const { turn, chat } = locked;
      const end = failedEnd(failure, run);
      if (!chat) return this.end(tx, turn, 'ABORTED', end);
      const mayFollow = mayRetry && failure.isPassing && texts.length === 0;
      if (mayFollow && turn.tries < settings.tries && !isTooOld(turn)) {
        if (turn.runId !== null) await endRun(tx, key.organizationId, turn.runId, end);
        await waitForRun(tx, turn, { tries: turn.tries, seconds: retrySeconds(failure, turn) });
        return { status: 'WAITING' };
      }
      const { sentence } = settings.failure ?? {};
      const said = [...texts, ...(sentence === undefined ? [] : [sentence])];
      if (said.length > 0) {
        const messageIds = await this.storage.say(tx, { context }, turn, chat, said);
        await addToTurn(tx, turn.organizationId, turn.id, { messageIds, usage: turn.usage, firstTokenMs: null });
      }
      const summary = `The bot's endpoint failed. Code: ${failure.code}. Tries: ${turn.tries}.`;
      await this.move(tx, context, chat, group, { reason: reasonOf(settings.failure), summary }, failure.code);
      return this.end(tx, turn, 'FAILED', end, failure.code);
    });
    if (ended && 'status' in ended && ended.status === 'FAILED' && run)
      await recordHealth(this.pool, run.connection, failure.code);
    return ended;
  }

  /** Hands the chat of a paused or deleted connection over. */
  handOver(key: TurnKey, run: Run | null = null): Promise<Next | null> {
    return transaction(this.manager, async (tx) => {
      const { settings, context } = await this.readSettings(tx, key);
      const group = await this.findTarget(tx, key.organizationId, settings.failure?.targetGroupId ?? null);
      const locked = await this.lock(tx, key, context, run);
      if (!locked) return null;
      const { turn, chat } = locked;
      const end = { outcome: 'ABORTED', record: run?.record() ?? null } as const;
      if (!chat) return this.end(tx, turn, 'ABORTED', end);
      await this.move(tx, context, chat, group, { reason: reasonOf(settings.failure), summary: null });
      return this.end(tx, turn, 'HANDED_OVER', end);
    });
  }

  /** Ends a turn whose chat isn't the bot's anymore. */
  abort(run: Run): Promise<Next | null> {
    return transaction(this.manager, async (tx) => {
      const turn = await lockTurn(tx, run.turn);
      if (turn?.runId !== run.id) return null;
      return this.end(tx, turn, 'ABORTED', { outcome: 'ABORTED', record: run.record() });
    });
  }

  /** Leaves a run to another node. It doesn't count as a try. */
  async giveBack(run: Run): Promise<void> {
    await transaction(this.manager, async (tx) => {
      const turn = await lockTurn(tx, run.turn);
      if (turn?.runId !== run.id) return;
      await endRun(tx, turn.organizationId, run.id, { outcome: 'GIVEN_BACK', record: run.record() });
      await waitForRun(tx, turn, { tries: turn.tries - 1, seconds: 0 });
    });
  }

  /** Asks the visitor a further question before the next run. */
  ask(run: Run, asking: Asking): Promise<Next | null> {
    return transaction(this.manager, async (tx): Promise<Next | null> => {
      const locked = await this.lock(tx, run.turn, run.context, run);
      if (!locked) return null;
      const { turn, chat } = locked;
      if (!chat) return this.end(tx, turn, 'ABORTED', { outcome: 'ABORTED', record: run.record() });
      const questions = await this.storage.askNext(tx, run, { turn, chat }, asking);
      const { organizationId, chatId } = run.key;
      const ids = [questions.messageId];
      await addToTurn(tx, organizationId, turn.id, { messageIds: ids, usage: turn.usage, firstTokenMs: null });
      const before = await findTranscript(tx, organizationId, chatId, run.connection.id);
      const transcript = { ...before, entries: withMessages(before.entries, ids), questions };
      await storeTranscript(tx, { organizationId, chatId }, run.connection.id, transcript);
      return this.end(tx, turn, 'INTERRUPTED', { outcome: 'INTERRUPTED', record: run.record() });
    });
  }

  private async nextStep(tx: EntityManager, run: Run, turn: LockedTurn, record: RunRecord): Promise<Next> {
    if (turn.step >= MAX_STEPS) throw new RunFailure('too_large', `took more than ${MAX_STEPS} steps`);
    if (isTooOld(turn)) throw new RunFailure('timeout', 'the turn took more than 10 min');
    await endRun(tx, turn.organizationId, run.id, { outcome: 'DONE', record });
    const nextRunId = newId('run');
    await beginRun(tx, turn, { runId: nextRunId, step: turn.step + 1, tries: 1 });
    return { nextRunId };
  }

  private async keep(
    tx: EntityManager,
    run: Run,
    turn: LockedTurn,
    { messageIds, entry, questions }: Stored,
    { reply, record }: { reply: Reply; record: RunRecord },
  ): Promise<void> {
    const { organizationId, chatId } = run.key;
    const usage = sumOf(turn.usage, record.usage);
    await addToTurn(tx, organizationId, turn.id, { messageIds, usage, firstTokenMs: firstTokenOf(run, record) });
    const before = await findTranscript(tx, organizationId, chatId, run.connection.id);
    const after = transcriptAfter(before, reply, { entry, questions });
    if (isDeepStrictEqual(before, after)) return;
    const { transcript, isCut } = limited(after);
    if (isCut) record.warnings.push('transcript: the oldest turns are left out');
    await storeTranscript(tx, { organizationId, chatId }, run.connection.id, transcript);
  }

  private async end(
    tx: EntityManager,
    turn: LockedTurn,
    status: TurnStatus,
    end: RunEnd,
    code: FailureCode | null = null,
  ): Promise<Next> {
    if (turn.runId !== null) await endRun(tx, turn.organizationId, turn.runId, end);
    await endTurn(tx, turn, status, code);
    return { status };
  }

  private async lock(
    tx: EntityManager,
    key: TurnKey,
    context: RequestContext,
    run: Run | null,
  ): Promise<Locked | null> {
    const found = await findTurn(tx, key);
    const chat = found?.chatId ? await this.lockChat(tx, context, found.chatId) : null;
    const turn = await lockTurn(tx, key);
    // Another node's run goes on until its lease ends.
    if (!turn || !isOpenTo(turn, run)) return null;
    const state = chat && (await findChatOfTurn(tx, turn));
    return { turn, chat: state?.isOfBot && !state.isAskedFor ? chat : null };
  }

  // An erased chat isn't the bot's.
  private lockChat(tx: EntityManager, context: RequestContext, chatId: string): Promise<LockedChat | null> {
    return this.transitions.lock(tx, context, chatId).catch((error: unknown) => {
      if (error instanceof Problem && error.status < 500) return null;
      throw error;
    });
  }

  private async readSettings(
    tx: EntityManager,
    key: TurnKey,
  ): Promise<{ settings: Settings; context: RequestContext }> {
    const { organizationId } = key;
    const turn = await findTurn(tx, key);
    const bot = turn && (await findBot(tx, organizationId, turn.botId));
    const connection = turn && (await findConnection(tx, organizationId, turn.botId));
    const context = bot
      ? contextOfBot({ organizationId, traceparent: turn.traceparent }, bot)
      : systemContext(organizationId);
    if (connection) return { context, settings: connection.settings };
    return { context, settings: { failure: turn?.failure ?? null, tries: 1 } };
  }

  /** The group that was named; the default group if it's gone. */
  private async findTarget(tx: EntityManager, organizationId: string, groupId: string | null): Promise<Named | null> {
    const named = groupId === null ? null : await findGroup(tx, organizationId, groupId);
    return named ?? findGroup(tx, organizationId);
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
