import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { isDistributed } from '../platform/database/citus/per-organization.js';
import { POOL } from '../platform/database/pool.js';
import { TIME_LIMITS_MS } from '../platform/lib/time-limits.js';
import {
  advance,
  beginEpoch,
  findChanges,
  findPosition,
  findWriters,
  listChatIds,
  type Position,
  type Reader,
  removeRead,
} from './changes.queries.js';

/** The longest pause between two checks whether an epoch's transactions have ended, in milliseconds. */
const MAX_PAUSE_MS = 100;
/** The most changes of a page. */
const MAX_CHANGES = 1_000;

/**
 * What a reader has to read again: a chat's row and its messages after `afterSeq`, or a visitor's name, e-mail address and external
 * id. It replaces what the reader had of them. A chat or message that isn't found was deleted.
 */
export type Change = { chatId: string; afterSeq: number } | { visitorId: string };

/** Some changes, and where they begin and end. */
export interface ChangePage {
  reader: Reader;
  changes: Change[];
  from: Position;
  to: Position;
  /** Whether more may have changed, in a transaction that is still open. */
  isHeldUp: boolean;
}

/**
 * The changes of an organization's chats and visitors, for indexes that follow them (decision 23). Each reader gets every change
 * at least once, after its commit, and begins with every chat that exists.
 */
@Injectable()
export class ChangesService {
  /** For each scope of epochs: every transaction that read an earlier epoch has ended. */
  private readonly settledEpochs = new Map<string, number>();

  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /**
   * Reads what comes after the reader's position, 1,000 changes at most. Returns the same page until `advance`. An empty page: nothing has
   * changed yet, or a transaction that may have changed something is still open.
   */
  async read(organizationId: string, name: string, limit = MAX_CHANGES): Promise<ChangePage> {
    const reader = { organizationId, name };
    const from = await findPosition(this.pool, reader);
    const count = Math.min(limit, MAX_CHANGES);
    const { changes, to, isHeldUp } =
      from.chatId === null
        ? await this.readChanges(organizationId, from, count)
        : await this.listChats(organizationId, from, from.chatId, count);
    return { reader, changes, from, to, isHeldUp };
  }

  /**
   * Moves the reader to the end of the page, in the transaction that stores what the reader made of it. Returns false if another
   * process has moved it since: then nothing of the page may be stored.
   */
  async advance(tx: EntityManager, { reader, from, to }: ChangePage): Promise<boolean> {
    const hasMoved = await advance(tx, reader, from, to);
    if (hasMoved) await removeRead(tx, reader.organizationId, MAX_CHANGES);
    return hasMoved;
  }

  // The first pass begins when every transaction of earlier epochs has ended, so it sees what they did.
  private async listChats(organizationId: string, from: Position, after: string, limit: number) {
    const epoch = from.epoch || (await this.settle(organizationId));
    if (epoch === null) return { changes: [], to: from, isHeldUp: true };
    const ids = await listChatIds(this.pool, organizationId, after, limit);
    const changes = ids.map((chatId): Change => ({ chatId, afterSeq: 0 }));
    const to = { epoch, subjectId: '', chatId: ids.length < limit ? null : ids.at(-1)! };
    return { changes, to, isHeldUp: false };
  }

  private async readChanges(organizationId: string, from: Position, limit: number) {
    const find = () => findChanges(this.pool, organizationId, from, limit);
    let rows = await find();
    let isHeldUp = false;
    // Ends no epoch while earlier ones have changes to read: other organizations' readers end epochs too, and each new epoch costs a row
    // per chat.
    if (rows[0] && rows[0].epoch >= this.settledEpoch(organizationId)) {
      isHeldUp = (await this.settle(organizationId)) === null;
      rows = await find();
    }
    const settled = rows.filter(({ epoch }) => epoch < this.settledEpoch(organizationId));
    const { epoch, subjectId } = settled.at(-1) ?? from;
    const changes = settled.map((row): Change =>
      row.subjectId.startsWith('vis_')
        ? { visitorId: row.subjectId }
        : { chatId: row.subjectId, afterSeq: row.afterSeq },
    );
    return { changes, to: { epoch, subjectId, chatId: null }, isHeldUp };
  }

  // Ends the current epoch. A change that was recorded in it, or wasn't because its chat already had a row, is by a transaction
  // that wrote before the new epoch began. Returns null if such a transaction stays open.
  private async settle(organizationId: string): Promise<number | null> {
    const epoch = await beginEpoch(this.pool, organizationId);
    const end = performance.now() + TIME_LIMITS_MS.request;
    let writers = await findWriters(this.pool, organizationId, null);
    for (let pause = 1; writers.length > 0; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      if (performance.now() > end) return null;
      await sleep(pause);
      writers = await findWriters(this.pool, organizationId, writers);
    }
    this.settledEpochs.set(this.scope(organizationId), Math.max(this.settledEpoch(organizationId), epoch));
    return epoch;
  }

  private settledEpoch(organizationId: string): number {
    return this.settledEpochs.get(this.scope(organizationId)) ?? 0;
  }

  /** On one PostgreSQL, all organizations have the same epochs. */
  private scope(organizationId: string): string {
    return isDistributed(this.pool) ? organizationId : '';
  }
}
