import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Parley, type Tenant } from '../support/parley.js';

/** A client that sends a few bytes at a time, and how its connection ends. */
class SlowClient {
  answer = '';
  private readonly startedAt = performance.now();
  /** Milliseconds until the connection ended. */
  readonly ended: Promise<number>;
  private readonly timer: NodeJS.Timeout;
  private readonly socket: Socket;

  constructor(port: number, head: string, drip: string, interval = 200) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.setEncoding('latin1').on('data', (text: string) => (this.answer += text));
    this.socket.on('error', () => undefined).write(head);
    this.timer = setInterval(() => this.socket.write(drip), interval);
    this.ended = new Promise((resolve) =>
      this.socket.once('close', () => {
        clearInterval(this.timer);
        resolve(performance.now() - this.startedAt);
      }),
    );
  }

  end(): void {
    this.socket.destroy();
  }
}

describe('slow clients', () => {
  let parley: Parley;
  let tenant: Tenant;
  let server: Server;
  let limits: { headers: number; request: number };
  const clients: SlowClient[] = [];

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    server = parley.app.getHttpServer() as Server;
    limits = { headers: server.headersTimeout, request: server.requestTimeout };
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.end();
    server.headersTimeout = limits.headers;
    server.requestTimeout = limits.request;
  });
  afterAll(() => parley.stop());

  const begin = (head: string[], drip: string, tail = '\r\n') => {
    const client = new SlowClient(Number(new URL(parley.url).port), head.join('\r\n') + tail, drip);
    clients.push(client);
    return client;
  };
  const post = (authorization: string) => [
    'POST /api/bot/messages HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    'Content-Length: 60000',
    `Authorization: Bearer ${authorization}`,
    '',
  ];
  /** The limit, plus the interval of the check for late clients, plus time for a busy machine. */
  const inTime = (limit: number) => limit + 4_000;

  it('a client has 10 s for its headers, even for a WebSocket upgrade', async () => {
    expect(limits).toEqual({ headers: 10_000, request: 30_000 });
    const get = begin(['GET /health/live HTTP/1.1', 'Host: localhost'], 'X-More: 1\r\n');
    const upgrade = begin(
      ['GET /socket.io/?EIO=4&transport=websocket HTTP/1.1', 'Upgrade: websocket', 'Connection: Upgrade'],
      'X-More: 1\r\n',
    );
    const silent = begin([], '', '');
    for (const client of [get, upgrade, silent]) {
      const took = await client.ended;
      expect(took).toBeGreaterThan(limits.headers - 500);
      expect(took).toBeLessThan(inTime(limits.headers));
    }
    expect(get.answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('a request has a time limit even if its body arrives steadily', async () => {
    server.headersTimeout = 1_000;
    server.requestTimeout = 6_000;
    const client = begin(post(tenant.token), ' ');
    const took = await client.ended;
    // Longer than the 4 s of a response: the service waits for a body that is arriving.
    expect(took).toBeGreaterThan(5_500);
    expect(took).toBeLessThan(inTime(6_000));
    expect(client.answer).toMatch(/^HTTP\/1\.1 (408|503) /);
  });

  it("a rejected request doesn't get more time for its body", async () => {
    server.headersTimeout = 1_000;
    server.requestTimeout = 3_000;
    const refused = begin(post('wrong'), ' ');
    const session = begin(
      [
        'POST /api/visitor/sessions HTTP/1.1',
        'Host: localhost',
        'Content-Type: application/json',
        'Content-Length: 60000',
        '',
      ],
      ' ',
    );
    const nowhere = begin(['POST /nowhere HTTP/1.1', 'Host: localhost', 'Content-Length: 60000', ''], ' ');
    const polling = begin(
      ['POST /socket.io/?EIO=4&transport=polling HTTP/1.1', 'Host: localhost', 'Content-Length: 60000', ''],
      ' ',
    );
    for (const client of [refused, session, nowhere, polling]) expect(await client.ended).toBeLessThan(inTime(3_000));
    expect(refused.answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(nowhere.answer).toMatch(/^HTTP\/1\.1 404 /);
  });

  it("five hundred slow clients don't delay a bot that sends", async () => {
    for (let count = 0; count < 500; count++) begin(post(count % 2 ? tenant.token : 'wrong'), ' ');
    for (let count = 0; count < 50; count++)
      await tenant.bot.post('/messages', { chatId: tenant.chatId, content: `${count}` }).expect(200);
  });
});
