import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { RequestContext } from '../../auth/context/request-context.js';
import { POOL } from '../../platform/database/pool.js';
import { notFound, problemWith } from '../../platform/errors/problem.js';
import { findBotState, storeBotState, type StoredState } from './bot-states.queries.js';

/** What a bot keeps about each chat: only this bot reads it (CONTRACT: Bot API). */
@Injectable()
export class BotStatesService {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** @throws Problem not_found */
  async get({ organizationId, actor }: RequestContext, chatId: string): Promise<StoredState> {
    return (await findBotState(this.pool, organizationId, chatId, actor.id ?? '')) ?? notFound('Chat');
  }

  /**
   * Replaces the state as a whole.
   * @param version null: replaces any version
   * @throws Problem not_found; precondition_failed when the state has another version
   */
  async set(
    context: RequestContext,
    chatId: string,
    state: Record<string, unknown>,
    version: number | null,
  ): Promise<StoredState> {
    const { organizationId, actor } = context;
    const stored = await storeBotState(this.pool, organizationId, chatId, actor.id ?? '', state, version);
    if (stored !== null) return { state, version: stored };
    const { version: current } = await this.get(context, chatId);
    const detail = `The state has version ${current} now`;
    throw problemWith('precondition_failed', detail, { version: current });
  }
}
