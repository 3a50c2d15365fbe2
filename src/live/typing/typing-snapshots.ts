import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../../platform/database/pool.js';
import { notFound } from '../../platform/errors/problem.js';
import { batch } from '../../platform/lib/batch.js';
import { QueueDepths } from '../../platform/telemetry/queue-depths.js';
import { type ChatKey, findTypingSnapshots, type TypingSnapshot } from './typing-snapshots.queries.js';

/** The most lookups that share a query. */
const MAX_BATCH = 256;
/** The most lookups that may wait; more are answered 503. */
const MAX_WAITING = 4_096;

/** Reads the chats of typing reports. Reports that arrive together share a query, because live text comes often. */
@Injectable()
export class TypingSnapshots {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    queues: QueueDepths,
  ) {
    queues.add('typing', () => this.find.pending);
  }

  private readonly find = batch<ChatKey, TypingSnapshot | null>(
    (keys) => findTypingSnapshots(this.pool, keys),
    MAX_BATCH,
    { maxWaiting: MAX_WAITING },
  );

  /** @throws Problem not_found, also for a chat of another organization and for one whose visitor was erased */
  async get(organizationId: string, chatId: string): Promise<TypingSnapshot> {
    return (await this.find({ organizationId, chatId })) ?? notFound('Chat');
  }
}
