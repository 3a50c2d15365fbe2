import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { findBot } from '../../bots/bots.queries.js';
import { transaction } from '../../platform/database/transaction.js';
import { newId } from '../../platform/lib/ids.js';
import { lockConnection } from '../connections/connections.queries.js';
import { ConnectionsService } from '../connections/connections.service.js';
import { TurnRecords } from '../endings/turn-records.js';
import { RunFailure } from '../model/turn.js';
import { findTokensOfToday } from '../turns/usage.queries.js';
import { contextOfBot, Run } from '../turns/run.js';
import {
  beginRun,
  findChatOfTurn,
  findTurn,
  forgetChat,
  type LockedTurn,
  lockTurn,
  MAX_WAIT_SECONDS,
  type TurnKey,
} from '../turns/take.queries.js';

/** What to do with a turn that is due. `FULL`: it waits for a run of its bot to end. `null`: nothing, or not yet. */
export type Beginning = { run: Run } | { failure: RunFailure; mayRetry: boolean } | 'PAUSED' | 'FULL' | null;

/** Decides whether a turn begins, and begins its run. */
@Injectable()
export class TurnBegin {
  /** When this node started, by `performance.now()`. */
  startedAt = performance.now();

  constructor(
    private readonly manager: EntityManager,
    private readonly connections: ConnectionsService,
    private readonly records: TurnRecords,
  ) {}

  /** @param hasRoom whether the node may run another one of the organization */
  begin(key: TurnKey, hasRoom: boolean): Promise<Beginning> {
    return transaction(this.manager, async (tx) => {
      const found = await findTurn(tx, key);
      if (!found) return null;
      // Runs of a bot begin one after the other, so that their number stays within the limit.
      const connection = await lockConnection(tx, key.organizationId, found.botId);
      const turn = await lockTurn(tx, key);
      if (turn?.isLost) return { failure: new RunFailure('truncated', 'the node was lost'), mayRetry: true };
      if (!turn?.isDue || turn.isBlocked) return null;
      const chat = await findChatOfTurn(tx, turn);
      // Without a row, the chat was removed while the turn was made.
      if (!chat) await forgetChat(tx, turn);
      if (!chat?.isOfBot || !turn.hasQuestion) {
        await this.records.end(tx, turn, 'ABORTED', { outcome: 'ABORTED', record: null });
        return null;
      }
      if (chat.isAskedFor) return null;
      if (!connection?.isEnabled) return 'PAUSED';
      if (chat.hasTooMany && turn.beganAt === null)
        return failed('limit', 'the chat had 30 turns in the last 10 minutes');
      if (!hasRoom || chat.running >= connection.settings.maxRuns)
        return turn.isLate && this.isUpLongEnough ? failed('busy', 'no run was free for 60 s') : 'FULL';
      const { dailyTokens } = connection.settings;
      if (dailyTokens !== null && (await findTokensOfToday(tx, turn)) >= dailyTokens)
        return failed('budget', 'the tokens of the day are used up');
      const opened = this.connections.open(connection);
      if (!opened) return failed('unsupported', "the connection's secrets can't be decrypted: was SECRET_KEY changed?");
      const bot = await findBot(tx, key.organizationId, turn.botId);
      if (!bot) return null;
      return { run: await this.toRun(tx, turn, opened, bot) };
    });
  }

  // While no node was up, turns waited for no run.
  private get isUpLongEnough(): boolean {
    return performance.now() - this.startedAt > MAX_WAIT_SECONDS * 1000;
  }

  private async toRun(
    tx: EntityManager,
    turn: LockedTurn,
    connection: Run['connection'],
    bot: { id: string; name: string; isAi: boolean },
  ) {
    const runId = newId('run');
    const tries = turn.tries + 1;
    await beginRun(tx, turn, { runId, step: turn.step, tries });
    const begun = { ...turn, chatId: turn.chatId!, runId, tries, beganAt: turn.beganAt ?? new Date() };
    return new Run(begun, runId, connection, contextOfBot(turn, bot));
  }
}

function failed(code: 'limit' | 'busy' | 'budget' | 'unsupported', detail: string) {
  return { failure: new RunFailure(code, detail), mayRetry: false };
}
