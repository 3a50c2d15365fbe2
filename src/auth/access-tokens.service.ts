import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { MoreThan, type Repository } from 'typeorm';
import { newId } from '../platform/lib/ids.js';
import { type Page, type PageQuery, toPage } from '../platform/lib/paging.js';
import { notFound } from '../platform/http/problem.js';
import { QueueDepths } from '../platform/telemetry/queue-depths.js';
import { sha256 } from '../platform/lib/secrets.js';
import { batch } from '../platform/lib/batch.js';
import { POOL } from '../platform/database/pool.js';
import { AccessToken } from './access-token.entity.js';
import { type BotIdentity, findCallers } from './access-tokens.queries.js';
import { isAccessToken, makeAccessToken } from './token-format.js';
import { TokenUses } from './token-uses.js';

/** The most token checks that share a query. */
const MAX_SHARED_CHECKS = 256;
/** Token checks that may wait; one more is answered 503. */
const MAX_WAITING_CHECKS = 4_096;

/** Tokens that are remembered to have been right. */
const MAX_RIGHT = 10_000;

/** A token that has the form of one. */
export interface PresentedToken {
  hash: Buffer;
  /** What its rate is counted by: its hash as text. */
  key: string;
  /** It was right when it came last; whether it still is, the database says each time. */
  wasRight: boolean;
}

/** Personal access tokens of bots (CONTRACT section 2). */
@Injectable()
export class AccessTokensService {
  constructor(
    @InjectRepository(AccessToken) private readonly tokens: Repository<AccessToken>,
    @Inject(POOL) private readonly pool: Pool,
    private readonly uses: TokenUses,
    queues: QueueDepths,
  ) {
    queues.add('token_check', () => this.findCaller.pending);
  }

  private readonly right = new Set<string>();

  // One query for the checks of a burst, and nothing remembered: a revoked token is dead once the revoking call has
  // answered.
  private readonly findCaller = batch<Buffer, BotIdentity | null>(
    (hashes) => findCallers(this.pool, hashes, new Date()),
    MAX_SHARED_CHECKS,
    { maxWaiting: MAX_WAITING_CHECKS },
  );

  /** A token as it came, null when it cannot be one; nothing is asked. */
  read(text: string): PresentedToken | null {
    if (!isAccessToken(text)) return null;
    const hash = sha256(text);
    const key = hash.toString('base64url');
    return { hash, key, wasRight: this.right.has(key) };
  }

  /** The bot a token belongs to; null when it is unknown, expired or revoked. */
  async authenticate({ hash, key, wasRight }: PresentedToken): Promise<BotIdentity | null> {
    const bot = await this.findCaller(hash);
    if (!bot) {
      this.right.delete(key);
      return null;
    }
    if (!wasRight) this.remember(key);
    this.uses.note(bot, new Date());
    return bot;
  }

  private remember(key: string): void {
    if (this.right.size >= MAX_RIGHT) this.right.clear();
    this.right.add(key);
  }

  /** Makes a token; its text is known to the caller alone and cannot be shown again. */
  async create(organizationId: string, botId: string, name: string | null, expiresAt: Date | null) {
    const token = makeAccessToken();
    const row = { organizationId, id: newId('tok'), botId, name, expiresAt, createdAt: new Date(), lastUsedAt: null };
    const saved = { ...row, tokenHash: sha256(token), lastFour: token.slice(-4) };
    await this.tokens.insert(saved);
    return { token, row: saved as AccessToken };
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

  /** Ends a token; it is dead on every node when this returns. */
  async revoke(organizationId: string, botId: string, id: string): Promise<void> {
    const { affected } = await this.tokens.delete({ organizationId, botId, id });
    if (!affected) notFound('Token');
  }
}
