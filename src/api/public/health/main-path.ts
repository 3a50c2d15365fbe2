import { Inject, Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { Client, Pool, PoolClient } from 'pg';
import { appendMessages } from '../../../messages/append.queries.js';
import { isDistributed } from '../../../platform/database/citus/per-organization.js';
import {
  databaseCode,
  isTransient,
  isUnavailable,
  refusesForGood,
} from '../../../platform/database/database-problem.js';
import { DatabaseError } from '../../../platform/database/database-error.js';
import { POOL } from '../../../platform/database/pool.js';
import { singleFlight } from '../../../platform/lib/single-flight.js';

const TOO_MANY_CONNECTIONS = '53300';
/** Others' locks must not make a health check wait. */
const BEGIN = `BEGIN; SET LOCAL lock_timeout = '500ms'; SET LOCAL statement_timeout = '1s'`;

/** An organization with what a message needs, and with receivers of everything that it writes. */
const INSERT = (id: string) => `
  INSERT INTO organizations (id, name, widget_key, identity_secret, created_at) VALUES ('${id}', '€ 東京 😀', '${id}', '', now());
  INSERT INTO groups (organization_id, id, name, is_default, created_at) VALUES ('${id}', 'g', 'g', true, now());
  INSERT INTO bots (organization_id, id, name, created_at) VALUES ('${id}', 'b', 'b', now());
  INSERT INTO visitors (organization_id, id, name, email, created_at) VALUES ('${id}', 'v', 'É', 'É@example.com', now());
  INSERT INTO receivers (organization_id, id, kind, created_at) VALUES ('${id}', 'w', 'WEBHOOK', now());
  INSERT INTO webhooks (organization_id, id, url, secret) VALUES ('${id}', 'w', 'https://example.com', '');
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
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** Checks it at the start. @throws DatabaseError */
  async prove(): Promise<void> {
    const error = await this.attempt();
    if (error === null || isTransient(error) || (isUnavailable(error) && !refusesForGood(error))) return;
    throw new DatabaseError(`DATABASE_URL: the database refuses a part of the work: ${error.message}`);
  }

  /**
   * Returns what the database said to a write that was rolled back; null if it worked, and on a Citus cluster, where a worker that's down must
   * not take the other workers' organizations out of service. One attempt at a time. @throws TimeoutError after 2 s
   */
  readonly attempt = singleFlight(async () => (isDistributed(this.pool) ? null : this.writeAndRollBack()));

  private async writeAndRollBack(): Promise<Error | null> {
    let connection: Connection | undefined;
    try {
      connection = await connect(this.pool);
      await writeAll(connection.client);
      return null;
    } catch (error) {
      return error as Error;
    } finally {
      await connection?.rollBack();
    }
  }
}

interface Connection {
  client: PoolClient;
  rollBack(): Promise<void>;
}

/** A connection of its own, because all of the pool's may wait for a lock; one of the pool's if the server has no other. */
async function connect(pool: Pool): Promise<Connection> {
  const { Client } = pool as unknown as { Client: new (options: object) => PoolClient };
  const client = new Client(pool.options);
  try {
    await client.connect();
    return { client, rollBack: () => end(client) };
  } catch (error) {
    await end(client);
    if (databaseCode(error) !== TOO_MANY_CONNECTIONS) throw error;
    const pooled = await pool.connect();
    const release = (reason?: Error) => pooled.release(reason);
    return { client: pooled, rollBack: () => pooled.query('ROLLBACK').then(() => release(), release) };
  }
}

// Ending the connection rolls back. A silent database must not make the caller wait.
async function end(client: PoolClient): Promise<void> {
  (client as unknown as Client).end().catch(() => undefined);
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
