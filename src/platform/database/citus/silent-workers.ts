import { Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseHosts, WriterClient } from '../hosts.js';

/** How long a worker may take to accept a connection, and to answer. */
const CHECK_TIMEOUT_MS = 2_000;
/** The pause between two checks while a worker is silent. */
const CHECK_PAUSE_MS = 500;

const WORKERS = `
  SELECT groupid AS id, nodename AS host, nodeport AS port FROM pg_dist_node
  WHERE groupid > 0 AND noderole = 'primary' AND isactive`;
const IS_ANSWERING = 'SELECT citus_check_connection_to_node($1, $2) AS "isAnswering"';
const ORGANIZATIONS_OF = `
  SELECT o.id FROM organizations o
  JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('chats', o.id) WHERE p.groupid = ANY ($1)`;

interface Worker {
  id: number;
  host: string;
  port: number;
}

/** A statement that was rejected because a worker accepts connections, but doesn't answer. Nothing is stored. */
export class WorkerSilentError extends Error {
  /** SQLSTATE connection_failure: the request may be retried. */
  readonly code = '08006';
}

/**
 * Tracks which workers of a Citus cluster are silent: they accept connections and answer nothing. A statement for one keeps its connection
 * until a time limit, and the coordinator's process stays even longer. So once a worker is found to be silent, statements that name one of
 * its organizations are rejected, and the others have the connections.
 */
export class SilentWorkers {
  private readonly logger = new Logger('Cluster');
  private isStopped = false;
  private watching: Promise<void> | null = null;
  private readonly checks = new Map<number, Promise<boolean>>();
  private readonly clients = new Set<WriterClient>();
  private silent = '';
  private organizations: ReadonlySet<string> = new Set();

  constructor(private readonly hosts: DatabaseHosts) {}

  /** Whether a statement that all workers answer would hang. */
  get hasAny(): boolean {
    return this.organizations.size > 0;
  }

  /** A statement is slow: finds out whether a worker is silent. Does nothing while a check is running. */
  checkSoon(): void {
    if (this.isStopped) return;
    this.watching ??= this.watch()
      .catch((err: unknown) => this.logger.warn({ err }, 'failed to check the workers of the cluster'))
      .finally(() => (this.watching = null));
  }

  /** Why a statement with these values isn't sent: it would hang. Null for a statement that may run. */
  findRefusal(values: readonly unknown[]): Error | null {
    if (!this.hasAny) return null;
    const isOfSilent = (value: unknown) => this.organizations.has(value as string);
    const wouldHang = values.some((value) => (Array.isArray(value) ? value.some(isOfSilent) : isOfSilent(value)));
    return wouldHang ? new WorkerSilentError("the worker with this organization doesn't answer") : null;
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    for (const client of this.clients) client.drop('the service stops');
    await this.watching;
  }

  private async watch(): Promise<void> {
    do {
      const silent = await this.find();
      if (this.isStopped) return;
      await this.change(silent);
      if (silent.length > 0) await sleep(CHECK_PAUSE_MS);
    } while (this.hasAny && !this.isStopped);
  }

  private async find(): Promise<Worker[]> {
    const workers = await this.query<Worker>(WORKERS);
    const answers = await Promise.all(
      workers.map((worker) => Promise.race([this.check(worker), sleep(CHECK_TIMEOUT_MS, false, { ref: false })])),
    );
    return workers.filter((_, index) => answers[index] === false);
  }

  // The check of a silent worker stays until the worker answers or Citus gives up: if it were ended, the coordinator would keep its process.
  // A worker that refuses a new check isn't silent.
  private async check(worker: Worker): Promise<boolean> {
    const { id, host, port } = worker;
    const earlier = this.checks.get(id);
    const check = earlier ?? this.isAnswering(host, port);
    this.checks.set(id, check);
    const isAnswering = await check;
    this.checks.delete(id);
    return isAnswering || !earlier;
  }

  private isAnswering(host: string, port: number): Promise<boolean> {
    return this.query<{ isAnswering: boolean }>(IS_ANSWERING, [host, port]).then(
      ([row]) => row!.isAnswering,
      () => false,
    );
  }

  private async change(workers: readonly Worker[]): Promise<void> {
    const silent = workers.map(({ host, port }) => `${host}:${port}`).join(', ');
    if (silent === this.silent) return;
    const ids = workers.map(({ id }) => id);
    const rows = ids.length > 0 ? await this.query<{ id: string }>(ORGANIZATIONS_OF, [ids]) : [];
    // Only now: if the query fails, the next check reads the organizations.
    this.silent = silent;
    this.organizations = new Set(rows.map(({ id }) => id));
    if (silent) this.logger.error(`${silent} doesn't answer; requests of its organizations fail until it does`);
    else this.logger.log('all workers of the cluster answer again');
  }

  // Uses connections of its own, because all of the pool's may hang.
  private async query<R extends object>(text: string, values: unknown[] = []): Promise<R[]> {
    const { hosts } = this;
    const client = new WriterClient({ hosts });
    this.clients.add(client);
    try {
      await client.connect();
      return (await client.query<R>(text, values)).rows;
    } finally {
      this.clients.delete(client);
      client.end().catch(() => undefined);
    }
  }
}
