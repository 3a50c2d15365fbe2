import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type RequestContext, systemContext } from '../../auth/context/request-context.js';
import { findBot } from '../../bots/bots.queries.js';
import type { LockedChat } from '../../chats/moves/chat-transitions.queries.js';
import { ChatTransitions } from '../../chats/moves/chat-transitions.service.js';
import type { Named } from '../../chats/reading/chat-state.js';
import { findGroup } from '../../groups/groups.queries.js';
import { Problem } from '../../platform/errors/problem.js';
import { isOtherOrigin } from '../connections/connection-change.js';
import { findConnection, shareConnection } from '../connections/connections.queries.js';
import type { ConnectionSettings } from '../model/connection.js';
import type { OpenConnection } from '../model/conversation.js';
import { contextOfBot, type Run } from '../turns/run.js';
import { findChatOfTurn, findTurn, type LockedTurn, lockTurn, type TurnKey } from '../turns/take.queries.js';
import { isOpenTo } from './ending-rules.js';

type Settings = Pick<ConnectionSettings, 'failure' | 'tries'>;

export interface Locked {
  turn: LockedTurn;
  /** Null: the bot no longer has the chat, or the chat was removed. */
  chat: LockedChat | null;
  /** Whether the run's connection still leads to the endpoint that the run asked. Another one must not get what that one said. */
  isSameEndpoint: boolean;
}

/** Reads and locks what the end of a turn needs. */
@Injectable()
export class TurnLocks {
  constructor(private readonly transitions: ChatTransitions) {}

  /** Locks the chat, then the connection against changes, then the turn. Null if the turn isn't the run's anymore. @param run null: no node has it */
  async lock(tx: EntityManager, key: TurnKey, context: RequestContext, run: Run | null): Promise<Locked | null> {
    const found = await findTurn(tx, key);
    const chat = found?.chatId ? await this.lockChat(tx, context, found.chatId) : null;
    const isSameEndpoint = run !== null && (await this.leadsTo(tx, run.connection));
    const turn = await lockTurn(tx, key);
    // Another node's run goes on until its lease ends.
    if (!turn || !isOpenTo(turn, run)) return null;
    const state = chat && (await findChatOfTurn(tx, turn));
    return { turn, chat: state?.isOfBot && !state.isAskedFor ? chat : null, isSameEndpoint };
  }

  /** The settings that apply to the end of a turn. If the connection was deleted, they're the ones stored with the turn. */
  async readSettings(tx: EntityManager, key: TurnKey): Promise<{ settings: Settings; context: RequestContext }> {
    const { organizationId } = key;
    const turn = await findTurn(tx, key);
    const bot = turn && (await findBot(tx, organizationId, turn.botId));
    const connection = turn && (await findConnection(tx, organizationId, turn.botId));
    const context = bot
      ? contextOfBot({ organizationId, traceparent: turn.traceparent }, bot)
      : systemContext(organizationId);
    if (connection) return { context, settings: connection.settings };
    // A connection that was deleted just now has left its settings with the turn.
    return { context, settings: { failure: (turn && (await findTurn(tx, key)))?.failure ?? null, tries: 1 } };
  }

  /** The group with this id, or the default group if it's null or the group was deleted. */
  async findTarget(tx: EntityManager, organizationId: string, groupId: string | null): Promise<Named | null> {
    const named = groupId === null ? null : await findGroup(tx, organizationId, groupId);
    return named ?? findGroup(tx, organizationId);
  }

  private async leadsTo(tx: EntityManager, { organizationId, botId, id, kind, url }: OpenConnection): Promise<boolean> {
    const now = await shareConnection(tx, organizationId, botId);
    return now?.id === id && now.kind === kind && !isOtherOrigin(now.url, url);
  }

  // An erased chat isn't the bot's.
  private lockChat(tx: EntityManager, context: RequestContext, chatId: string): Promise<LockedChat | null> {
    return this.transitions.lock(tx, context, chatId).catch((error: unknown) => {
      if (error instanceof Problem && error.status < 500) return null;
      throw error;
    });
  }
}
