import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '../../support/client.js';
import { ServiceProcess, temporaryDirectory } from '../../support/process.js';
import { freePort } from '../../support/ports.mjs';
import { NO_RATE_LIMITS } from '../../support/limits.js';
import { Road } from '../../support/road.js';
import { type Database, Postgres } from './postgres.js';
import { disown, own } from '../../support/owned.js';
import { until } from '../../support/eventually.js';
import { RedisServer } from '../../support/redis.js';

export const ADMIN_TOKEN = 'faults-admin-token';

/** A module that shifts the clock of the process that loads it. */
const CLOCK = fileURLToPath(new URL('./shifted-clock.cjs', import.meta.url));

/** One node: a process of the built service that keeps its address when it's restarted. */
export class Node {
  private process!: ServiceProcess;
  private isMeantToEnd = false;
  private readUpTo = 0;
  private clockShift = 0;
  private readonly directory = temporaryDirectory();

  private constructor(
    private readonly environment: NodeJS.ProcessEnv,
    readonly url: string,
    /** Its address through a proxy that can reset connections. */
    readonly road: Road,
  ) {}

  static async start(environment: NodeJS.ProcessEnv): Promise<Node> {
    const PORT = await freePort();
    const url = `http://127.0.0.1:${PORT}`;
    const node = new Node({ ...environment, PORT }, url, await Road.to(url));
    await node.restart();
    return node;
  }

  get output(): string {
    return this.process.output;
  }

  /** Unknown errors that it has logged since the last call. */
  complaints(): string[] {
    const lines = this.output.slice(this.readUpTo).split('\n');
    this.readUpTo = this.output.length;
    return lines.filter((line) => line.includes('request failed')).map((line) => line.slice(0, 1_500));
  }

  /** Whether it ended on its own. */
  get hasDied(): boolean {
    return !this.isMeantToEnd && (this.process.child.exitCode ?? this.process.child.signalCode) !== null;
  }

  async restart(): Promise<void> {
    this.isMeantToEnd = false;
    this.readUpTo = 0;
    const clock = { NODE_OPTIONS: `--require ${CLOCK}`, CLOCK_SHIFT_SECONDS: String(this.clockShift) };
    this.process = ServiceProcess.spawn({
      ...this.environment,
      ...(this.clockShift !== 0 && clock),
      DATA_DIR: this.directory,
      LOG_LEVEL: 'error',
    });
    own(this.process.child.pid!);
    await this.process.prints(/health\/ready/);
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<{ code: number | null; signal: string | null }> {
    this.isMeantToEnd = true;
    const ended = await this.process.kill(signal);
    disown(this.process.child.pid!);
    return ended;
  }

  /** Restarts it with a clock that is this many seconds ahead. */
  async shiftClock(seconds: number): Promise<void> {
    this.clockShift = seconds;
    await this.end('SIGTERM');
    await this.restart();
    const organizations = new Client(`${this.url}/api/admin/organizations`, ADMIN_TOKEN);
    const { body } = await organizations.post('', { name: 'What is the time?' }).expect(201);
    const ahead = (Date.parse(body.createdAt) - Date.now()) / 1000;
    if (Math.abs(ahead - seconds) > 5) throw new Error(`the clock of the node is ${ahead} s ahead, and not ${seconds}`);
  }

  async isReady(): Promise<boolean> {
    return fetch(`${this.url}/health/ready`, { headers: { Connection: 'close' } }).then(
      async (response) => (await response.text(), response.ok),
      () => false,
    );
  }

  /** Its metrics in Prometheus format. */
  async metrics(): Promise<string> {
    return (await fetch(`${this.url}/metrics`, { headers: { Connection: 'close' } })).text();
  }

  async stop(): Promise<void> {
    await this.end('SIGKILL');
    await this.road.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** What clients use, and what checks compare them with. */
export interface Installation {
  readonly postgres: Database;
  readonly nodes: readonly Node[];
}

/** Starts nodes that share a Redis. @param databaseUrls the DATABASE_URL of each node */
export async function startNodes(databaseUrls: readonly string[], redis: RedisServer): Promise<Node[]> {
  const nodes: Node[] = [];
  // One after the other: a start is mostly CPU work, and has a time limit.
  for (const DATABASE_URL of databaseUrls) {
    nodes.push(
      await Node.start({
        DATABASE_URL,
        REDIS_URL: redis.url,
        ADMIN_TOKEN,
        SECRET_KEY: 'faults-secret-key',
        WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
        WEBHOOK_RETRY_SECONDS: Array.from({ length: 50 }, () => 1).join(','),
        DEMO: '0',
        ...NO_RATE_LIMITS,
        ANONYMOUS_MESSAGES_PER_DAY: '0',
        ANONYMOUS_BYTES_PER_DAY: '0',
        ANONYMOUS_ORGANIZATION_MESSAGES_PER_DAY: '0',
        ANONYMOUS_ORGANIZATION_BYTES_PER_DAY: '0',
      }),
    );
  }
  return nodes;
}

/** Waits until every node is ready. */
export async function areReady(nodes: readonly Node[]): Promise<void> {
  await until('all nodes are ready', async () => {
    const ready = await Promise.all(nodes.map((node) => node.isReady()));
    return ready.every(Boolean);
  });
}

/** Three nodes, their PostgreSQL, and their Redis. */
export class Cluster implements Installation {
  private constructor(
    readonly postgres: Postgres,
    readonly redis: RedisServer,
    readonly nodes: Node[],
  ) {}

  static async start(): Promise<Cluster> {
    const postgres = await Postgres.start();
    const redis = await RedisServer.start();
    const url = postgres.urlByRoad;
    return new Cluster(postgres, redis, await startNodes([url, url, url], redis));
  }

  areReady(): Promise<void> {
    return areReady(this.nodes);
  }

  /** Every process ends, in any state. */
  async stop(): Promise<void> {
    await Promise.allSettled(this.nodes.map((node) => node.stop()));
    await Promise.allSettled([this.redis.kill(), this.postgres.stop()]);
  }
}
