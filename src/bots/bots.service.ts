import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { type ChangeHooks, NO_HOOKS } from '../platform/database/change-hooks.js';
import { transaction } from '../platform/database/transaction.js';
import { DomainEventBus } from '../platform/database/domain-events.js';
import { newId } from '../platform/lib/ids.js';
import { type Page, type PageQuery, toPage } from '../platform/validation/paging.js';
import { invalid, notFound } from '../platform/errors/problem.js';
import { Bot } from './bot.entity.js';
import './bots.events.js';
import {
  awaitBotLocks,
  type BotRow,
  findBot,
  hasEndpoint,
  leaveGroups,
  listBots,
  lockSubscription,
} from './bots.queries.js';

export interface NewBot {
  name: string;
  /** Whether it may only act in chats that it has (CONTRACT: Transfers). */
  onlyOwnChats?: boolean;
  /** Whether it's an AI. New bots are, and bots that are connected to an address always are. */
  isAi?: boolean;
}

/** Bots of an organization. */
@Injectable()
export class BotsService {
  constructor(
    @InjectRepository(Bot) private readonly bots: Repository<Bot>,
    private readonly events: DomainEventBus,
  ) {}

  create(organizationId: string, bot: NewBot, hooks: ChangeHooks<BotRow> = NO_HOOKS): Promise<BotRow> {
    return transaction(this.bots.manager, (tx) => this.add(tx, organizationId, bot, hooks));
  }

  /** Creates a bot in a transaction that creates more than it. */
  async add(
    tx: EntityManager,
    organizationId: string,
    { name, onlyOwnChats = false, isAi = true }: NewBot,
    hooks: ChangeHooks<BotRow>,
  ): Promise<BotRow> {
    const bot = { id: newId('bot'), name, onlyOwnChats, isAi, createdAt: new Date() };
    await tx.insert(Bot, { organizationId, ...bot });
    const row = { ...bot, hasSubscription: false, hasConnection: false };
    await hooks.record(tx, null, row);
    return row;
  }

  async list<T>(organizationId: string, { limit, cursor = '' }: PageQuery, map: (row: BotRow) => T): Promise<Page<T>> {
    const rows = await listBots(this.bots.manager, organizationId, { after: cursor, limit: limit + 1 });
    return toPage(rows, limit, map);
  }

  async get(organizationId: string, id: string): Promise<BotRow> {
    return (await findBot(this.bots.manager, organizationId, id)) ?? notFound('Bot');
  }

  update(
    organizationId: string,
    id: string,
    { name, onlyOwnChats, isAi }: Partial<NewBot>,
    hooks: ChangeHooks<BotRow> = NO_HOOKS,
  ): Promise<BotRow> {
    return transaction(this.bots.manager, async (tx) => {
      const bot = await this.lock(tx, organizationId, id);
      hooks.before(bot);
      if (isAi === false && (await hasEndpoint(tx, organizationId, id)))
        throw invalid('/isAi', 'must be true for a bot with a connection to an address');
      const change = {
        name: name ?? bot.name,
        onlyOwnChats: onlyOwnChats ?? bot.onlyOwnChats,
        isAi: isAi ?? bot.isAi,
      };
      await tx.update(Bot, { organizationId, id }, change);
      const changed = { ...bot, ...change };
      await hooks.record(tx, bot, changed);
      return changed;
    });
  }

  /**
   * Removes a bot, with its subscription. Its tokens are refused when this returns. Its messages stay, and so do its idempotency keys
   * until they expire.
   */
  async delete(organizationId: string, id: string, hooks: ChangeHooks<BotRow> = NO_HOOKS): Promise<void> {
    await transaction(this.bots.manager, async (tx) => {
      await awaitBotLocks(tx, organizationId);
      await lockSubscription(tx, organizationId, id);
      const bot = await this.lock(tx, organizationId, id);
      await leaveGroups(tx, organizationId, id);
      await tx.delete(Bot, { organizationId, id });
      await hooks.record(tx, bot, null);
    });
    this.events.emit('bot.deleted', { organizationId, botId: id });
  }

  private async lock(tx: EntityManager, organizationId: string, id: string): Promise<BotRow> {
    await tx.findOne(Bot, { where: { organizationId, id }, lock: { mode: 'for_no_key_update' } });
    return (await findBot(tx, organizationId, id)) ?? notFound('Bot');
  }
}
