import { Inject, Injectable } from '@nestjs/common';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Pool, PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';
import '../chats/model/chats.events.js';
import { parseLanes } from '../receivers/lane.js';
import '../receivers/deliveries.events.js';
import { databaseCode, isTransient, toDatabaseProblem } from '../platform/database/database-problem.js';
import { DomainEventBus } from '../platform/database/domain-events.js';
import { jsonOf } from '../platform/lib/json.js';
import { overloaded, Problem } from '../platform/errors/problem.js';
import { QueueDepths } from '../platform/telemetry/queue-depths.js';
import { batch, type Batched } from '../platform/lib/batch.js';
import { isDistributed } from '../platform/database/citus/per-organization.js';
import { shardsOf } from '../platform/database/citus/shards.js';
import { APPEND_POOL, POOL } from '../platform/database/pool.js';
import { type Append, type AppendMode, addFiles, appendMessages, type NewMessage } from './append.queries.js';
import { FileLinks } from '../files/file-links.js';
import { toMessageView } from './message-view.js';
import type { MessageView } from './message.js';
import './messages.events.js';
import { afterCommit, clientOf } from '../platform/database/transaction.js';
import { MessageMetrics } from './message-metrics.js';

/** The most messages that share a statement. */
const MAX_TOGETHER = 64;
/** The most UTF-16 code units of content, metadata and answers in a shared statement. A single message may be larger. */
const MAX_CODE_UNITS_TOGETHER = 262_144;
/** The most waiting messages; the next one is answered 503. */
export const MAX_WAITING = 2_048;
/** The share of database connections for messages that a shared statement left out. */
const SHARE_ALONE = 0.25;

/** Stores and announces messages. Messages that arrive together share a statement. Messages that it leaves out are stored one by one. */
@Injectable()
export class AppenderService {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(APPEND_POOL) private readonly appendPool: Pool,
    private readonly events: DomainEventBus,
    private readonly metrics: MessageMetrics,
    private readonly links: FileLinks,
    queues: QueueDepths,
  ) {
    queues.add('append', () => this.pending);
    queues.add('append_alone', () => this.alone.activeCount + this.alone.pendingCount);
  }

  /**
   * Stores a message together with others that arrive at the same time. Returns null if it wasn't stored: it was stored before, its
   * chat is unknown, locked, ended or another agent's, or the database rejected the statement.
   * @throws Problem unavailable
   */
  async append(append: Append): Promise<MessageView | null> {
    return this.announce(append.message, await this.appendSoon(append));
  }

  private appendSoon(append: Append): Promise<number | null> {
    return isDistributed(this.pool) ? this.appendToShard(append) : this.appendTogether(append);
  }

  private readonly appendTogether = this.newBatch();

  // On a Citus cluster, organizations share statements only with others on their shard, and no shard waits for another.
  private async appendToShard(append: Append): Promise<number | null> {
    const shard = await this.shards.of(append.message.organizationId);
    if (this.pending >= MAX_WAITING) throw overloaded(`${MAX_WAITING} messages wait`);
    const appendTogether = this.ofShards.get(shard) ?? this.newBatch(this.shared);
    this.ofShards.set(shard, appendTogether);
    return appendTogether(append);
  }

  private readonly shards = shardsOf(this.pool);
  private readonly ofShards = new Map<string, Batched<Append, number | null>>();
  private readonly shared = pLimit(this.appendPool.options.max);

  private newBatch(limit?: LimitFunction) {
    const options = { maxWaiting: MAX_WAITING, overlaps: true, ...(limit && { limit }) };
    return batch<Append, number | null>((appends) => this.appendAll(appends), MAX_TOGETHER, options);
  }

  private get pending(): number {
    return [...this.ofShards.values()].reduce((sum, { pending }) => sum + pending, this.appendTogether.pending);
  }

  // Locked chats can block a few connections, but never all.
  private readonly alone = pLimit(Math.ceil(this.pool.options.max * SHARE_ALONE));

  /** Stores a message, and waits for its chat's lock. Returns null if the chat doesn't accept it, or the key is taken. @throws Problem unavailable */
  async appendAlone(append: Append): Promise<MessageView | null> {
    if (this.alone.pendingCount >= MAX_WAITING) throw overloaded(`${MAX_WAITING} messages wait for their chats`);
    const { seq, lanes } = await this.alone(() => appendOne(this.pool, append));
    const stored = this.announce(append.message, seq);
    this.wake(lanes);
    return stored;
  }

  /**
   * Stores a message in the transaction of `tx`, and announces it after the commit. Returns null if it wasn't stored.
   * @param mode `isNotice` for the system message of a chat that the transaction has closed
   */
  async appendIn(tx: EntityManager, append: Append, mode?: AppendMode): Promise<MessageView | null> {
    const client = await clientOf(tx);
    const { seq, lanes } = await appendOne(client, append, mode);
    if (seq === null) return null;
    await this.addFiles(client, append.message, seq, lanes);
    afterCommit(tx, () => {
      this.announce(append.message, seq);
      this.wake(lanes);
    });
    return this.viewOf(append.message, seq);
  }

  private async addFiles(client: PoolClient, message: NewMessage, seq: number, lanes: string | null): Promise<void> {
    if (!message.files) return;
    const webhooks = lanes ? parseLanes(lanes).map(({ id }) => id) : [];
    const ofEvents = message.files.map((file) => this.links.ofBots(file));
    await addFiles(client, message, { seq, lanes: webhooks }, ofEvents);
  }

  /** Announces a committed message. Returns it as clients see it; null if it wasn't stored. */
  private announce(message: NewMessage, seq: number | null): MessageView | null {
    if (seq === null) return null;
    this.metrics.onStored(message);
    const view = this.viewOf(message, seq);
    this.events.emit('message.created', { organizationId: message.organizationId, message: view });
    return view;
  }

  private viewOf(message: NewMessage, seq: number): MessageView {
    const { sender, replyTo } = message;
    return toMessageView(
      {
        ...message,
        seq,
        senderType: sender.type,
        senderId: sender.id,
        senderName: sender.name,
        senderIsAi: sender.isAi ?? null,
        replyToMessageId: replyTo?.messageId ?? null,
        replyToValue: replyTo?.value ?? null,
      },
      this.links,
    );
  }

  private wake(lanes: string | null): void {
    if (lanes) this.events.emit('deliveries.queued', { lanes: parseLanes(lanes) });
  }

  private async appendAll(appends: readonly Append[]): Promise<(number | null | Error)[]> {
    const results = appends.map((): number | null | Error => null);
    const store = async (indexes: number[]) => {
      const stored = await this.appendPart(indexes.map((index) => appends[index]!));
      indexes.forEach((index, nth) => (results[index] = stored[nth]!));
    };
    for (const part of divide(appends)) await store(part);
    return results;
  }

  // If the database rejects one message, the whole statement fails. Nothing was stored, and each message is retried alone.
  private async appendPart(appends: readonly Append[]): Promise<(number | null | Error)[]> {
    const startedAt = performance.now();
    try {
      const { seqs, lanes } = await appendMessages(this.appendPool, appends);
      this.wake(lanes);
      return seqs;
    } catch (error) {
      if (!isRefusal(error)) return appends.map(() => error as Error);
      this.shards.forget();
      return appends.map(() => null);
    } finally {
      this.metrics.onStatement(appends.length, startedAt);
    }
  }
}

/** Stores a message, and waits for its chat's lock. */
async function appendOne(client: Pool | PoolClient, append: Append, mode?: AppendMode) {
  const { seqs, lanes } = await appendMessages(client, [append], { ...mode, waits: true });
  return { seq: seqs[0] ?? null, lanes };
}

function isRefusal(error: unknown): boolean {
  if (error instanceof Problem || databaseCode(error) === undefined) return false;
  return isTransient(error) || toDatabaseProblem(error)?.code !== 'unavailable';
}

/** Divides messages into statements of limited size. Returns their indexes in `appends`, without repetitions. */
function divide(appends: readonly Append[]): number[][] {
  const names = new Set<string>();
  const parts: number[][] = [];
  let size = Number.POSITIVE_INFINITY;
  appends.forEach((append, index) => {
    const name = nameOf(append);
    if (name !== null && names.has(name)) return;
    if (name !== null) names.add(name);
    size += sizeOf(append);
    if (size > MAX_CODE_UNITS_TOGETHER) {
      parts.push([]);
      size = sizeOf(append);
    }
    parts.at(-1)!.push(index);
  });
  return parts;
}

/** Identifies repetitions of a request; null if it can't be repeated. */
function nameOf({ message: { organizationId, sender, clientMessageId }, reservation }: Append): string | null {
  const name = reservation ? `key ${reservation.key}` : clientMessageId && `client ${clientMessageId}`;
  return name ? `${organizationId} ${sender.id} ${name}` : null;
}

function sizeOf({ message: { content, metadata, replyTo } }: Append): number {
  return content.length + (metadata ? jsonOf(metadata).length : 0) + (replyTo?.value.length ?? 0);
}
