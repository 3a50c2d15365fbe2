import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Test as Request } from 'supertest';
import { AppModule } from '../../src/app.module.js';
import { APP_OPTIONS, configureApp } from '../../src/app.setup.js';
import { PasswordCost } from '../../src/auth/sign-in/password-hash.js';
import { HttpAdapter } from '../../src/platform/http/server/http.adapter.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { TIME_LIMITS_MS } from '../../src/platform/lib/time-limits.js';
import { MetricsText } from '../../src/api/public/health/metrics-text.js';
import { Client } from './client.js';
import { createDatabase } from './database.js';
import { until } from './eventually.js';
import { NO_RATE_LIMITS } from './limits.js';
import { createTenant, type Tenant } from './tenant.js';
import { VisitorSocket, type VisitorSocketOptions } from './visitor.js';

export type { Tenant };

/** An agent's fields that a test cares about. */
export interface NewAgent {
  name?: string;
  email?: string;
  role?: 'AGENT' | 'SUPERVISOR' | 'ADMIN';
  capacity?: number;
  groupIds?: string[];
  /** Set with the link. */
  password?: string;
}

/** An agent with a session's bearer token. */
export interface SignedInAgent {
  id: string;
  email: string;
  token: string;
  /** The agent API with this session. */
  client: Client;
}

export const ADMIN_TOKEN = 'test-admin-token';

/** For tests of time-outs and of what an attack costs. */
export const PRODUCT_TIME_LIMITS: Readonly<typeof TIME_LIMITS_MS> = { ...TIME_LIMITS_MS };

/** Five times the limits of the product, for all other tests. */
const PATIENT = Object.fromEntries(
  Object.entries(TIME_LIMITS_MS).map(([name, limit]) => [name, 5 * limit]),
) as typeof PRODUCT_TIME_LIMITS;

/** The service on its own database, listening on 127.0.0.1. Tests use it only over HTTP and sockets. */
export class Parley {
  private readonly sockets: VisitorSocket[] = [];

  private constructor(
    readonly app: NestExpressApplication,
    readonly url: string,
    readonly databaseUrl: string,
    readonly database: pg.Pool,
    readonly admin: Client,
    private readonly cleanUp: () => Promise<void>,
  ) {}

  /** A busy machine must not cause a 503, unless the test sets the product's time limits. */
  static async start(
    environment: NodeJS.ProcessEnv = {},
    databaseUrl?: string,
    timeLimits = process.env.TEST_SUITE === 'abuse' ? PRODUCT_TIME_LIMITS : PATIENT,
  ): Promise<Parley> {
    Object.assign(TIME_LIMITS_MS, timeLimits);
    const made = databaseUrl === undefined ? await createDatabase() : null;
    const directory = mkdtempSync(join(tmpdir(), 'parley-data-'));
    const config = loadConfig({ ...DEFAULTS, DATA_DIR: directory, ...environment });
    const url = databaseUrl ?? made!.url;
    const module = await Test.createTestingModule({ imports: [AppModule.with(config, url)] }).compile();
    const app = configureApp(module.createNestApplication<NestExpressApplication>(new HttpAdapter(), APP_OPTIONS));
    // The next scrape includes what a test does.
    app.get(MetricsText).maxAgeMs = 0;
    // A hash with the product's cost takes a second when many tests run.
    app.get(PasswordCost).parameters = CHEAP;
    await app.listen(config.PORT, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    const address = `http://127.0.0.1:${port}`;
    const admin = new Client(`${address}/api/admin/organizations`, ADMIN_TOKEN);
    const database = new pg.Pool({ connectionString: url });
    // A test may cut the connections to the database while one is idle.
    database.on('error', () => undefined);
    return new Parley(app, address, url, database, admin, async () => {
      rmSync(directory, { recursive: true });
      await made?.drop();
    });
  }

  createTenant(options?: { name?: string; hasBot?: boolean }): Promise<Tenant> {
    return createTenant(this.url, ADMIN_TOKEN, options);
  }

  bot(token: string): Client {
    return new Client(`${this.url}/api/bot`, token);
  }

  visitor(token?: string): Client {
    return new Client(`${this.url}/api/visitor`, token);
  }

  /** A visitor's socket, closed at the end. */
  async connectVisitor(token: unknown, options?: VisitorSocketOptions): Promise<VisitorSocket> {
    const visitor = await VisitorSocket.connect(this.url, token, options);
    this.sockets.push(visitor);
    return visitor;
  }

  /** An agent's socket that gets everything from now on, closed at the end. */
  async connectAgent(token: unknown, options?: VisitorSocketOptions): Promise<VisitorSocket> {
    const agent = await this.openAgentSocket(token, options);
    // Not `next`: an offer may have arrived before, and the test's own `next` must find it.
    await agent.until(() => agent.all('inbox:stale').length > 0);
    return agent;
  }

  /**
   * An agent's socket as soon as it's connected: events before its `inbox:stale` may not reach it. Closed at the end.
   */
  async openAgentSocket(token: unknown, options?: VisitorSocketOptions): Promise<VisitorSocket> {
    const agent = await VisitorSocket.connect(this.url, token, options, 'agent');
    this.sockets.push(agent);
    return agent;
  }

  /** Requests a visitor's session or, with a token, its renewal. */
  beginSession({ widgetKey }: Tenant, body: object = {}, token?: string): Request {
    return this.visitor(token).post('/sessions', { widgetKey, ...body });
  }

  /** The agent API of one session. */
  agent(token?: string): Client {
    return new Client(`${this.url}/api/agent`, token);
  }

  /** Creates an agent of the tenant, and signs them in by a link. */
  async signInAgent({ admin }: Pick<Tenant, 'admin'>, { password, ...fields }: NewAgent = {}): Promise<SignedInAgent> {
    const email = `${randomBytes(6).toString('hex')}@example.com`;
    const { body: agent } = await admin.post('/agents', { name: 'Ada', email, ...fields }).expect(201);
    return this.signInAgain({ admin }, agent.id, password);
  }

  /** Starts another session of an agent, by a link. */
  async signInAgain({ admin }: Pick<Tenant, 'admin'>, id: string, password?: string): Promise<SignedInAgent> {
    const token = await this.mintLink({ admin }, id);
    const { body } = await this.agent().post('/session/link', { token, password, mode: 'token' }).expect(201);
    return { id, email: body.agent.email, token: body.token, client: this.agent(body.token) };
  }

  /** The token of a new sign-in link. */
  async mintLink({ admin }: Pick<Tenant, 'admin'>, agentId: string): Promise<string> {
    const { body } = await admin.post(`/agents/${agentId}/sign-in-links`, {}).expect(201);
    return new URL(body.url).hash.slice(1);
  }

  /** Reads what is stored, by SQL. */
  async query<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
    return (await this.database.query<T>(text, values)).rows;
  }

  /** Waits until a query finds a row. */
  async untilRow(query: string): Promise<void> {
    await until(query, async () => (await this.query(query)).length > 0);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.close();
    await this.app.close();
    await this.database.end();
    await this.cleanUp();
  }
}

/** N = 16 for the hashes of passwords. */
const CHEAP = 'ln=4,r=8,p=1';

const DEFAULTS = {
  PORT: '0',
  ADMIN_TOKEN,
  SECRET_KEY: 'test-secret-key-of-the-tests',
  LOG_LEVEL: 'silent',
  DEMO: '0',
  ...NO_RATE_LIMITS,
};
