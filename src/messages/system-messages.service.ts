import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RequestContext } from '../auth/context/request-context.js';
import { notFound } from '../platform/errors/problem.js';
import type { AppendMode } from './append.queries.js';
import { AppenderService } from './appender.service.js';
import { newMessage } from './new-message.js';

/** The system message of a transition. `metadata.event` is the name of the transition's event. */
export interface Notice {
  content: string;
  metadata: { event: string } & Record<string, unknown>;
}

/** Stores system messages in the transaction of `tx`, which has locked the chat. */
@Injectable()
export class SystemMessages {
  constructor(private readonly appender: AppenderService) {}

  /** Stores one in an open chat. @throws Problem not_found */
  append(tx: EntityManager, context: RequestContext, chatId: string, notice: Notice, createdAt: Date): Promise<void> {
    return this.store(tx, context, chatId, notice, createdAt);
  }

  /** Stores one in a chat that the transaction has closed. @throws Problem not_found */
  appendToClosed(
    tx: EntityManager,
    context: RequestContext,
    chatId: string,
    notice: Notice,
    createdAt: Date,
  ): Promise<void> {
    return this.store(tx, context, chatId, notice, createdAt, { isNotice: true });
  }

  private async store(
    tx: EntityManager,
    context: RequestContext,
    chatId: string,
    notice: Notice,
    createdAt: Date,
    mode?: AppendMode,
  ): Promise<void> {
    const message = newMessage(context, chatId, { type: 'SYSTEM', id: null, name: null }, notice, { createdAt });
    if (!(await this.appender.appendIn(tx, { message, reservation: null }, mode))) notFound('Chat');
  }
}
