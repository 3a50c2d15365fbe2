import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/eventually.js';
import { ServiceProcess, temporaryDirectory } from '../support/process.js';
import { freePort } from '../support/ports.mjs';

const ADMIN_TOKEN = 'stop-admin-token';

/** A connection that is kept open between requests, as agents and load balancers do. */
class KeptConnection {
  private said = '';
  readonly closed: Promise<void>;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => (this.said += chunk.toString()));
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
  }

  static async open(port: string): Promise<KeptConnection> {
    const socket = connect(Number(port), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    return new KeptConnection(socket);
  }

  /** Sends a GET, and returns the whole response. */
  async get(path: string): Promise<string> {
    this.said = '';
    this.socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ADMIN_TOKEN}\r\n\r\n`);
    let isClosed = false;
    void this.closed.then(() => (isClosed = true));
    while (!/\r\n\r\n./.test(this.said)) {
      if (isClosed) throw new Error('the connection was closed instead of an answer');
      await Promise.race([new Promise((resolve) => this.socket.once('data', resolve)), this.closed]);
    }
    return this.said;
  }
}

describe('SIGTERM', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let port: string;
  let directory: string;

  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    port = await freePort();
    directory = temporaryDirectory();
    const given = { ADMIN_TOKEN, SECRET_KEY: 'stop-secret-key', DEMO: '0' };
    service = await ServiceProcess.start({
      ...given,
      LOG_LEVEL: 'info',
      PORT: port,
      DATABASE_URL: database.url,
      DATA_DIR: directory,
    });
  });
  afterEach(async () => {
    await service.kill('SIGKILL');
    rmSync(directory, { recursive: true });
  });

  /** Whether new connections are refused. */
  const isDeaf = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1')
        .once('connect', () => (socket.destroy(), resolve(false)))
        .once('error', () => resolve(true));
    });

  it('a stopping process accepts no connection, and answers each open one for the last time', async () => {
    const connections = await Promise.all(Array.from({ length: 3 }, () => KeptConnection.open(port)));
    for (const connection of connections) expect(await connection.get('/health/ready')).toContain('200 OK');
    const ended = service.kill('SIGTERM');
    await until('new connections are refused', isDeaf);

    const [ready, live, organizations] = await Promise.all(
      ['/health/ready', '/health/live', '/api/admin/organizations'].map((path, index) => connections[index]!.get(path)),
    );
    expect(ready).toMatch(/503 Service Unavailable[^]*Retry-After/);
    expect(live).toContain('200 OK');
    expect(organizations).toContain('200 OK');
    for (const answer of [ready, live, organizations]) expect(answer).toContain('Connection: close');
    await Promise.all(connections.map(({ closed }) => closed));
    expect((await ended).code).toBe(0);
  });

  it('a stopping process ends in time with idle connections, silent ones, and half a request', async () => {
    const [idle, , half] = await Promise.all(Array.from({ length: 3 }, () => KeptConnection.open(port)));
    await idle!.get('/health/live');
    half!.socket.write('POST /api/bot/messages HTTP/1.1\r\nHost: x\r\nContent-Len');
    expect((await service.kill('SIGTERM')).code).toBe(0);
  });

  it('a stopping process without connections ends immediately', async () => {
    const connection = await KeptConnection.open(port);
    await connection.get('/health/live');
    connection.socket.destroy();
    await connection.closed;
    expect((await service.kill('SIGTERM')).code).toBe(0);
    expect(service.output).toMatch(/stopped after \d+\.\d s; requests and connections took \d+\.\d s of them/);
  });
});
