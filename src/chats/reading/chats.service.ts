import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { type EntityManager, In, IsNull, type Repository } from 'typeorm';
import type { RequestContext } from '../../auth/context/request-context.js';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { POOL } from '../../platform/database/pool.js';
import { newId } from '../../platform/lib/ids.js';
import { invalid, notFound, Problem } from '../../platform/errors/problem.js';
import type { AiDisclosure } from '../../platform/locale/ai-disclosure.js';
import type { Channel } from '../model/channel.js';
import type { ChatStatus } from '../model/chat-status.js';
import { Chat } from '../model/chat.entity.js';
import { type ChatState, toChatState } from './chat-state.js';
import '../model/chats.events.js';
import { findChatOfVisitor, findChatState, insertChat, type OwnChat } from './chats.queries.js';
import type { EventType } from '../../receivers/event-type.js';
import '../../receivers/deliveries.events.js';
import { queueChatEvent } from './chat-events.queries.js';

/** A visitor with this many open chats can't begin another one. */
const MAX_OPEN_CHATS = 20;

/** The options of a new chat. */
export interface NewChat {
  groupId?: string | null;
  channel?: Channel;
  metadata?: Record<string, unknown> | null;
  aiDisclosure?: AiDisclosure | null;
}

/** Chats and their states (CONTRACT: Bot API). */
@Injectable()
export class ChatsService {
  constructor(
    @InjectRepository(Chat) private readonly chats: Repository<Chat>,
    @Inject(POOL) private readonly pool: Pool,
    private readonly events: DomainEventBus,
  ) {}

  /** @throws Problem not_found, also for a chat of another organization */
  async get(organizationId: string, id: string): Promise<Chat> {
    return (await this.chats.findOneBy({ organizationId, id })) ?? notFound('Chat');
  }

  /** @throws Problem not_found, also for a chat whose visitor was erased, which takes no messages */
  async getForMessages(organizationId: string, id: string): Promise<Chat> {
    return (await this.chats.findOneBy({ organizationId, id, erasedAt: IsNull() })) ?? notFound('Chat');
  }

  /** A chat of this visitor, with their current profile. @throws Problem not_found, also for another visitor's chat */
  async getOfVisitor(organizationId: string, visitorId: string, id: string): Promise<OwnChat> {
    return (await findChatOfVisitor(this.pool, organizationId, visitorId, id)) ?? notFound('Chat');
  }

  /** The visitor's newest open chat. */
  findOpen(
    organizationId: string,
    visitorId: string,
    manager: EntityManager = this.chats.manager,
  ): Promise<Chat | null> {
    const where = { organizationId, visitorId, status: In<ChatStatus>(['ACTIVE', 'QUEUED']) };
    return manager.getRepository(Chat).findOne({ where, order: { id: 'DESC' } });
  }

  /** The visitor's newest open chat without a message. */
  findUnbegun(
    organizationId: string,
    visitorId: string,
    manager: EntityManager = this.chats.manager,
  ): Promise<Chat | null> {
    const where = { organizationId, visitorId, status: In<ChatStatus>(['ACTIVE', 'QUEUED']), messageCount: 0 };
    return manager.getRepository(Chat).findOne({ where, order: { id: 'DESC' } });
  }

  /** @throws Problem conflict if the visitor has so many open chats that there can't be another */
  async checkOpenCount(tx: EntityManager, organizationId: string, visitorId: string): Promise<void> {
    const where = { organizationId, visitorId, status: In<ChatStatus>(['ACTIVE', 'QUEUED']) };
    if ((await tx.getRepository(Chat).countBy(where)) >= MAX_OPEN_CHATS)
      throw new Problem('conflict', `The visitor has ${MAX_OPEN_CHATS} open chats; end one of them first`);
  }

  /** A chat as its visitor sees it. @throws Problem not_found */
  async getState(organizationId: string, id: string): Promise<ChatState> {
    return toChatState((await findChatState(this.chats.manager, organizationId, id)) ?? notFound('Chat'));
  }

  /** The same, or null for another visitor's chat. */
  async findStateOfVisitor(organizationId: string, visitorId: string, id: string): Promise<ChatState | null> {
    const row = await findChatState(this.chats.manager, organizationId, id, visitorId);
    return row && toChatState(row);
  }

  /**
   * Creates a chat in the transaction of `manager`. Returns its id.
   * @throws Problem validation_failed for an unknown group
   */
  async create(
    manager: EntityManager,
    context: RequestContext,
    visitorId: string,
    { groupId = null, channel = 'WIDGET', metadata = null, aiDisclosure = null }: NewChat,
  ): Promise<string> {
    const { organizationId } = context;
    const what = { groupId, channel, metadata, aiDisclosure };
    const chat = { organizationId, id: newId('cht'), visitorId, ...what, createdAt: new Date() };
    // The default group may change while the statement waits for its row. The next attempt sees the new one.
    for (let attempt = 0; attempt < 3; attempt++) {
      const waits = await insertChat(manager, chat, newId('hof'), context.actor);
      if (waits !== null) {
        await this.queueEvent(manager, context, chat.id, 'chat.created');
        this.events.emit('chat.created', { organizationId, chatId: chat.id }, manager);
        if (waits) this.events.emit('queue.changed', { organizationId }, manager);
        return chat.id;
      }
      if (groupId !== null) throw invalid('/groupId', 'must be the ID of a group in this organization');
    }
    return notFound('Organization');
  }

  private async queueEvent(
    tx: EntityManager,
    { organizationId, traceparent }: RequestContext,
    id: string,
    type: Exclude<EventType, 'message.created'>,
  ): Promise<void> {
    const lanes = await queueChatEvent(tx, organizationId, id, type, traceparent);
    if (lanes.length > 0) this.events.emit('deliveries.queued', { lanes }, tx);
  }
}
