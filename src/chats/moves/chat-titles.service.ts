import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { POOL } from '../../platform/database/pool.js';
import { notFound } from '../../platform/errors/problem.js';
import type { StoredAttributes } from '../../visitors/visitors.queries.js';
import '../model/chats.events.js';
import { setTitle } from './chat-titles.queries.js';

/** The titles that bots and agents give chats (CONTRACT: Bot API). */
@Injectable()
export class ChatTitlesService {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly events: DomainEventBus,
  ) {}

  /** Undefined changes nothing, and null removes the title. Returns the chat's title and attributes. @throws Problem not_found */
  async set(
    organizationId: string,
    chatId: string,
    title: string | null | undefined,
  ): Promise<{ chatId: string; title: string | null; attributes: NonNullable<StoredAttributes> }> {
    const set = (await setTitle(this.pool, organizationId, chatId, title)) ?? notFound('Chat');
    if (set.isChanged) this.events.emit('chat.changed', { organizationId, chatId });
    return { chatId, title: set.title, attributes: set.attributes ?? {} };
  }
}
