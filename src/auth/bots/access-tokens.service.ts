import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { MoreThan, type Repository } from 'typeorm';
import { type ChangeHooks, NO_HOOKS } from '../../platform/database/change-hooks.js';
import { transaction } from '../../platform/database/transaction.js';
import { newId } from '../../platform/lib/ids.js';
import { type Page, type PageQuery, toPage } from '../../platform/validation/paging.js';
import { notFound } from '../../platform/errors/problem.js';
import { QueueDepths } from '../../platform/telemetry/queue-depths.js';
import { batch } from '../../platform/lib/batch.js';
import { REFERENCE_POOL } from '../../platform/database/pool.js';
import { AccessToken } from './access-token.entity.js';
import { type BotIdentity, findCallers } from './access-tokens.queries.js';
import type { Scope } from './scope.js';
import { newToken, type PresentedToken, readToken } from '../context/token-format.js';
import { TokenLastUsedRecorder } from './token-last-used-recorder.js';

/** The most token checks that share a query. */
const MAX_BATCH = 256;
/** The most token checks that may wait. Further ones get 503. */
const MAX_WAITING = 4_096;

/** Personal access tokens of bots (CONTRACT: Bot API). */
@Injectable()
export class AccessTokensService {
  constructor(
    @InjectRepository(AccessToken) private readonly tokens: Repository<AccessToken>,
    @Inject(REFERENCE_POOL) private readonly references: Pool,
    private readonly uses: TokenLastUsedRecorder,
    queues: QueueDepths,
  ) {
    queues.add('token_check', () => this.findCaller.pending);
  }

  // Batches concurrent checks into one query and caches no result, so that a token is refused as soon as the call that revokes
  // it returns.
  private readonly findCaller = batch<Buffer, BotIdentity | null>(
    (hashes) => findCallers(this.references, hashes, new Date()),
    MAX_BATCH,
    { maxWaiting: MAX_WAITING },
  );

  /** Parses a token without the database; null when its form is invalid. */
  parse(text: string): PresentedToken | null {
    return readToken('prl_pat_', text);
  }

  /** The bot that a token belongs to; null when the token is unknown, expired or revoked. */
  async authenticate(token: PresentedToken): Promise<BotIdentity | null> {
    const bot = await this.findCaller(token.hash);
    if (bot) this.uses.record(bot, new Date());
    return bot;
  }

  /** Creates a token. Only the caller gets its text, which cannot be shown again. */
  async create(
    organizationId: string,
    botId: string,
    {
      name = null,
      expiresAt = null,
      scopes = null,
    }: { name?: string | null; expiresAt?: Date | null; scopes?: Scope[] | null },
    hooks: ChangeHooks<AccessToken> = NO_HOOKS,
  ) {
    const { token, ...stored } = newToken('prl_pat_');
    const row = {
      organizationId,
      id: newId('tok'),
      botId,
      name,
      scopes,
      expiresAt,
      createdAt: new Date(),
      lastUsedAt: null,
    };
    const saved = { ...row, ...stored } as AccessToken;
    await transaction(this.tokens.manager, async (tx) => {
      await tx.insert(AccessToken, saved);
      await hooks.record(tx, null, saved);
    });
    return { token, row: saved };
  }

  async list<T>(
    organizationId: string,
    botId: string,
    { limit, cursor = '' }: PageQuery,
    map: (row: AccessToken) => T,
  ): Promise<Page<T>> {
    const where = { organizationId, botId, id: MoreThan(cursor) };
    const rows = await this.tokens.find({ where, order: { id: 'ASC' }, take: limit + 1 });
    return toPage(rows, limit, map);
  }

  async get(organizationId: string, botId: string, id: string): Promise<AccessToken> {
    return (await this.tokens.findOneBy({ organizationId, botId, id })) ?? notFound('Token');
  }

  /** Revokes a token. Every node refuses it when this returns. */
  revoke(organizationId: string, botId: string, id: string, hooks: ChangeHooks<AccessToken> = NO_HOOKS): Promise<void> {
    const where = { organizationId, botId, id };
    return transaction(this.tokens.manager, async (tx) => {
      const token = await tx.findOne(AccessToken, { where, lock: { mode: 'pessimistic_write' } });
      await hooks.record(tx, token ?? notFound('Token'), null);
      await tx.delete(AccessToken, where);
    });
  }
}
