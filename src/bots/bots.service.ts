import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { DomainEventBus } from '../platform/lib/domain-events.js';
import { newId } from '../platform/lib/ids.js';
import { type Page, type PageQuery, toPage } from '../platform/lib/paging.js';
import { notFound } from '../platform/http/problem.js';
import { Bot } from './bot.entity.js';
import './bots.events.js';
import { type BotRow, findBot, listBots } from './bots.queries.js';

/** Bots of an organization. */
@Injectable()
export class BotsService {
  constructor(
    @InjectRepository(Bot) private readonly bots: Repository<Bot>,
    private readonly events: DomainEventBus,
  ) {}

  async create(organizationId: string, name: string): Promise<BotRow> {
    const bot = { id: newId('bot'), name, createdAt: new Date() };
    await this.bots.insert({ organizationId, ...bot });
    return { ...bot, hasSubscription: false };
  }

  async list<T>(organizationId: string, { limit, cursor = '' }: PageQuery, map: (row: BotRow) => T): Promise<Page<T>> {
    const rows = await listBots(this.bots.manager, organizationId, { after: cursor, limit: limit + 1 });
    return toPage(rows, limit, map);
  }

  async get(organizationId: string, id: string): Promise<BotRow> {
    return (await findBot(this.bots.manager, organizationId, id)) ?? notFound('Bot');
  }

  async update(organizationId: string, id: string, name: string | undefined): Promise<BotRow> {
    if (name !== undefined) await this.bots.update({ organizationId, id }, { name });
    return this.get(organizationId, id);
  }

  /**
   * Removes a bot, with its subscription. Its tokens are refused when this returns; its messages stay, and its idempotency keys until
   * they expire.
   */
  async delete(organizationId: string, id: string): Promise<void> {
    const { affected } = await this.bots.delete({ organizationId, id });
    if (!affected) notFound('Bot');
    this.events.emit('bot.deleted', { organizationId, botId: id });
  }
}
