import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../../platform/database/pool.js';
import { notFound } from '../../platform/errors/problem.js';
import { batch } from '../../platform/lib/batch.js';
import { QueueDepths } from '../../platform/telemetry/queue-depths.js';
import { type ChatKey, findTypedChats, type TypedChat } from './typing.queries.js';

/** The most look-ups that share a query. */
const MAX_BATCH = 256;
/** The most look-ups that may wait; more are answered 503. */
const MAX_WAITING = 4_096;

/** Reads the chats in which senders type: those that type at the same time share a query, because live text comes often. */
@Injectable()
export class TypedChatsService {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    queues: QueueDepths,
  ) {
    queues.add('typing', () => this.find.pending);
  }

  private readonly find = batch<ChatKey, TypedChat | null>((keys) => findTypedChats(this.pool, keys), MAX_BATCH, {
    maxWaiting: MAX_WAITING,
  });

  /** @throws Problem not_found, also for a chat of another organization and for one whose visitor was erased */
  async get(organizationId: string, chatId: string): Promise<TypedChat> {
    return (await this.find({ organizationId, chatId })) ?? notFound('Chat');
  }
}
