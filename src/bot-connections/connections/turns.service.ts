import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { findBot } from '../../bots/bots.queries.js';
import { notFound } from '../../platform/errors/problem.js';
import { type Page, toPage } from '../../platform/validation/paging.js';
import { findTurnOfBot, listTurns, type TurnFilter, type TurnRow } from './turns.queries.js';

/** The turns of bots, for administrators. They stay after the connection was deleted. */
@Injectable()
export class TurnsService {
  constructor(private readonly manager: EntityManager) {}

  /** @throws Problem not_found */
  async list<T>(
    organizationId: string,
    botId: string,
    { limit, ...filter }: TurnFilter,
    map: (row: TurnRow) => T,
  ): Promise<Page<T>> {
    if (!(await findBot(this.manager, organizationId, botId))) notFound('Bot');
    return toPage(await listTurns(this.manager, organizationId, botId, { ...filter, limit: limit + 1 }), limit, map);
  }

  /** @throws Problem not_found */
  async get(organizationId: string, botId: string, id: string): Promise<TurnRow> {
    return (await findTurnOfBot(this.manager, organizationId, botId, id)) ?? notFound('Turn');
  }
}
