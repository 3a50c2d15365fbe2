import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { Client } from '../../support/client.js';
import { createDatabase } from '../../support/database.js';
import { ServiceProcess } from '../../support/process.js';
import { createTenant, type Tenant } from '../../support/tenant.js';
import { freePort } from '../../support/ports.mjs';

export const ADMIN_TOKEN = 'the-admin-token-of-a-service-under-attack';
/** Megabytes of heap in a small container. */
const HEAP = 384;

/** The built service as a process with a small heap, with the default limits unless overridden. */
export class Victim {
  private constructor(
    readonly url: string,
    readonly service: ServiceProcess,
    readonly databaseUrl: string,
    readonly database: pg.Pool,
    readonly admin: Client,
    private readonly cleanUp: () => Promise<void>,
  ) {}

  static async start(environment: NodeJS.ProcessEnv = {}): Promise<Victim> {
    const made = await createDatabase();
    const directory = mkdtempSync(join(tmpdir(), 'parley-victim-'));
    const port = await freePort();
    const service = ServiceProcess.spawn({
      NODE_OPTIONS: `--max-old-space-size=${HEAP}`,
      DATABASE_URL: made.url,
      DATA_DIR: directory,
      PORT: port,
      DEMO: '0',
      LOG_LEVEL: 'info',
      ADMIN_TOKEN,
      SECRET_KEY: 'the-secret-key-of-a-service-under-attack',
      ...environment,
    });
    await service.prints(/listening on/);
    const url = `http://127.0.0.1:${port}`;
    const admin = new Client(`${url}/api/admin/organizations`, ADMIN_TOKEN);
    return new Victim(url, service, made.url, new pg.Pool({ connectionString: made.url }), admin, async () => {
      rmSync(directory, { recursive: true });
      await made.drop();
    });
  }

  createTenant(): Promise<Tenant> {
    return createTenant(this.url, ADMIN_TOKEN);
  }

  /** Fills a chat with the largest possible messages. */
  async fill(organizationId: string, chatId: string, messages: number): Promise<void> {
    await this.database.query(FILL, [organizationId, chatId, messages]);
    await this.database.query('UPDATE chats SET message_count = $3 WHERE organization_id = $1 AND id = $2', [
      organizationId,
      chatId,
      messages,
    ]);
  }

  /** Megabytes of memory that the process holds. */
  get memory(): number {
    const status = readFileSync(`/proc/${this.service.child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024;
  }

  get isAlive(): boolean {
    return this.service.child.exitCode === null && this.service.child.signalCode === null;
  }

  /** Milliseconds until the process answers its liveness check. */
  async answerTime(): Promise<number> {
    const startedAt = performance.now();
    // A new connection: a kept-alive one may have been closed while the attack kept this process busy.
    const [response] = (await once(get(`${this.url}/health/live`, { agent: false }), 'response')) as [IncomingMessage];
    await text(response);
    return performance.now() - startedAt;
  }

  async stop(): Promise<void> {
    await this.database.end();
    await this.service.kill('SIGTERM');
    await this.cleanUp();
  }
}

// Content of 5,000 characters and metadata of about 10 kB each.
const FILL = `
  INSERT INTO messages (organization_id, chat_id, seq, id, type, content, metadata, sender_type, created_at)
  SELECT $1, $2, n, 'msg_' || lpad(n::text, 26, '0'), 'TEXT', repeat('é', 5000), json_build_object('x', repeat('y', 10200)),
    'SYSTEM', now()
  FROM generate_series(1, $3::integer) n`;
