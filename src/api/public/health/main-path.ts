import { Inject, Injectable, Logger } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { appendMessages } from '../../../messages/append.queries.js';
import { isDistributed } from '../../../platform/database/citus/per-organization.js';
import { isTransient, toDatabaseProblem } from '../../../platform/database/database-problem.js';
import { DatabaseError } from '../../../platform/database/database-error.js';
import { POOL } from '../../../platform/database/pool.js';
import { singleFlight } from '../../../platform/lib/single-flight.js';
import { withTimeout } from '../../../platform/lib/timeout.js';

/** How long what worked counts as working, in milliseconds. */
const INTERVAL_MS = 5 * 60_000;

/** How long a health check waits for it. One that takes longer is judged by the next check. */
const PATIENCE_MS = 1_000;

/** Others' locks must not make a health check wait. */
const BEGIN = `BEGIN; SET LOCAL lock_timeout = '500ms'; SET LOCAL statement_timeout = '1s'`;

/** An organization with what a message needs, and with receivers of everything that it writes. */
const INSERT = (id: string) => `
  INSERT INTO organizations (id, name, widget_key, identity_secret, created_at) VALUES ('${id}', '€ 東京 😀', '${id}', '', now());
  INSERT INTO groups (organization_id, id, name, is_default, created_at) VALUES ('${id}', 'g', 'g', true, now());
  INSERT INTO bots (organization_id, id, name, created_at) VALUES ('${id}', 'b', 'b', now());
  INSERT INTO visitors (organization_id, id, name, email, created_at) VALUES ('${id}', 'v', 'É', 'É@example.com', now());
  INSERT INTO webhooks (organization_id, id, url, secret, created_at) VALUES ('${id}', 'w', 'https://example.com', '', now());
  INSERT INTO change_readers (organization_id, name, epoch, subject_id) VALUES ('${id}', 'r', 0, '');
  INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, created_at)
    VALUES ('${id}', 'c', 'v', 'g', 'ACTIVE', now(), now())`;

/** A transfer to people and the erasure of everything; what's deferred to the commit happens now. */
const MOVE_AND_REMOVE = (id: string) => `
  UPDATE chats SET status = 'QUEUED', queued_at = now() WHERE organization_id = '${id}';
  INSERT INTO handoffs (organization_id, id, chat_id, group_id, by_type, began_at, queued_at, on_unanswered)
    VALUES ('${id}', 'h', 'c', 'g', 'BOT', now(), now(), 'KEEP');
  SET CONSTRAINTS ALL IMMEDIATE;
  DELETE FROM chats WHERE organization_id = '${id}';
  DELETE FROM organizations WHERE id = '${id}'`;

/**
 * Whether the database lets Parley do its work: stores an organization, a message, its delivery, and a transfer, and rolls all back. A
 * missing right, a trigger, or a policy is found before a request meets it.
 */
@Injectable()
export class MainPath {
  private readonly logger = new Logger('Database');
  private workedAt = Number.NEGATIVE_INFINITY;
  private reported = '';

  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** Checks it at the start. @throws DatabaseError */
  async prove(): Promise<void> {
    const error = await this.attempt();
    if (error) throw new DatabaseError(`DATABASE_URL: the database refuses a part of the work: ${error.message}`);
  }

  /** Checks it, unless it worked some minutes ago. A failure is logged once, because it may contain names of the schema. */
  async works(): Promise<boolean> {
    if (performance.now() - this.workedAt < INTERVAL_MS) return true;
    const error = await withTimeout(this.attempt(), PATIENCE_MS, () => new Error('no answer yet')).catch(() => null);
    if (error && error.message !== this.reported) this.logger.error(error, 'the database refuses a part of the work');
    this.reported = error?.message ?? '';
    return error === null;
  }

  private readonly attempt = singleFlight(() => this.write());

  // On a Citus cluster, a worker that's down must not take the other workers' organizations out of service.
  private async write(): Promise<Error | null> {
    const error = isDistributed(this.pool) ? null : await this.writeAndRollBack();
    if (error === null || isTransient(error) || toDatabaseProblem(error)?.code === 'unavailable') {
      this.workedAt = performance.now();
      return null;
    }
    return error;
  }

  private async writeAndRollBack(): Promise<Error | null> {
    let client: PoolClient | undefined;
    try {
      client = await this.pool.connect();
      await writeAll(client);
      return null;
    } catch (error) {
      return error as Error;
    } finally {
      await client?.query('ROLLBACK').then(
        () => client!.release(),
        (error: Error) => client!.release(error),
      );
    }
  }
}

async function writeAll(client: PoolClient): Promise<void> {
  const id = `probe_${randomBytes(12).toString('hex')}`;
  await client.query(`${BEGIN}; ${INSERT(id)}`);
  const now = new Date();
  const message = {
    organizationId: id,
    chatId: 'c',
    id: 'msg_1',
    type: 'TEXT',
    content: '€ 東京 😀',
    metadata: { text: '\\ \' "' },
    sender: { type: 'BOT', id: 'b', name: 'b' },
    createdAt: now,
    clientMessageId: '1',
    startedAt: performance.now(),
    traceparent: null,
    replyTo: null,
    ifOwnerIsBot: true,
  } as const;
  const reservation = { key: '1', endpoint: 'messages', fingerprint: Buffer.from([0]), response: {} } as const;
  const { seqs, lanes } = await appendMessages(client, [{ message, reservation }], { waits: true });
  if (seqs[0] !== 1 || lanes !== `${id}/w`) throw new Error(`a message got the seq ${seqs[0]} and the lanes ${lanes}`);
  await client.query(MOVE_AND_REMOVE(id));
}
