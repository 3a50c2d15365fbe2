import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor, RequestContext } from '../auth/context/request-context.js';
import type { Stored } from '../auth/limits/daily-allowance.js';
import { bytesOf } from '../auth/limits/stored-bytes.js';
import type { NextMessage } from '../chats/reading/chat-events.queries.js';
import { isOpen } from '../chats/model/chat-status.js';
import type { LockedChat } from '../chats/moves/chat-transitions.queries.js';
import { ChatTransitions, type ReopenedChat } from '../chats/moves/chat-transitions.service.js';
import { restoreWait } from '../chats/moves/ended-chats.queries.js';
import { type Notice, SystemMessages } from './system-messages.service.js';

/**
 * Closes and reopens locked chats in the transaction of `tx`, with a system message that names the actor (CONTRACT: Who has a chat).
 */
@Injectable()
export class ClosingService {
  constructor(
    private readonly transitions: ChatTransitions,
    private readonly systemMessages: SystemMessages,
  ) {}

  /** Closes an open chat. An ended chat becomes CLOSED without an event or a message. */
  async close(tx: EntityManager, context: RequestContext, chat: LockedChat): Promise<void> {
    const at = new Date();
    await this.transitions.close(tx, context, chat, { at });
    if (!isOpen(chat.status)) return;
    const notice = noticeOf('chat.closed', 'closed the chat', context.actor);
    await this.systemMessages.appendToClosed(tx, context, chat.id, notice, at);
  }

  /**
   * Reopens an ended chat: for the agent who reopens it; for the bots if a bot reopens it or the organization has one; otherwise
   * for its group's agents.
   * @param message the message that reopens it; the caller stores it next, in the same transaction
   */
  reopen(
    tx: EntityManager,
    context: RequestContext,
    chat: LockedChat,
    hasBot: boolean,
    message?: NextMessage,
  ): Promise<void> {
    return this.reopenFor(tx, context, chat, reopenedBy(context.actor, hasBot), message);
  }

  /** Reopens an ended chat for its group's agents, even when the bots had it. */
  reopenForAgents(tx: EntityManager, context: RequestContext, chat: LockedChat): Promise<void> {
    return this.reopenFor(tx, context, chat, { owner: 'QUEUE' });
  }

  /** Reopens a chat that ended by mistake, for the one who had it. */
  async undo(tx: EntityManager, context: RequestContext, chat: LockedChat, to: ReopenedChat): Promise<void> {
    await restoreWait(tx, context.organizationId, chat.id);
    await this.reopenFor(tx, context, chat, to);
  }

  private async reopenFor(
    tx: EntityManager,
    context: RequestContext,
    chat: LockedChat,
    to: ReopenedChat,
    message?: NextMessage,
  ): Promise<void> {
    const at = message?.at ?? new Date();
    await this.transitions.reopen(tx, context, chat, to, { ...message, at, count: message ? 2 : 1 });
    const notice = noticeOf('chat.reopened', 'reopened the chat', context.actor);
    await this.systemMessages.append(tx, context, chat.id, notice, at);
  }
}

function reopenedBy({ type, id, name }: Actor, hasBot: boolean): ReopenedChat {
  if (type === 'AGENT') return { owner: 'AGENT', agent: { id: id!, name: name ?? '' } };
  return { owner: hasBot || type === 'BOT' ? 'BOT' : 'QUEUE' };
}

const NAMELESS = {
  BOT: 'The bot',
  VISITOR: 'The visitor',
  AGENT: 'An agent',
  ADMIN: 'An administrator',
  SYSTEM: 'Parley',
};

// Visitors see it. It names bots and agents; visitors and administrators appear only as a type.
function noticeOf(event: string, deed: string, { type, id, name }: Actor): Notice {
  const isNamed = type === 'AGENT' || type === 'BOT';
  const by = isNamed ? { type, id, name } : { type, id: null, name: null };
  return { content: `${by.name ?? NAMELESS[type]} ${deed}`, metadata: { event, by } };
}

const VISITOR: Actor = { type: 'VISITOR', id: null, name: null };

/** The size of the two system messages that are stored when a visitor closes a chat and the next message reopens it. */
export const LINES_OF_VISITOR: Stored = [
  noticeOf('chat.closed', 'closed the chat', VISITOR),
  noticeOf('chat.reopened', 'reopened the chat', VISITOR),
].reduce((sum, line) => ({ messages: sum.messages + 1, bytes: sum.bytes + bytesOf(line) }), { messages: 0, bytes: 0 });
