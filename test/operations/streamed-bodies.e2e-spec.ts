import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Body, Controller, HttpCode, Module, Put, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { notFound } from '../../src/platform/errors/problem.js';
import { JsonBodyGuard } from '../../src/platform/http/requests/json-body.guard.js';
import { RouteLimits } from '../../src/platform/http/requests/route-limits.js';
import { BodyStream } from '../../src/platform/http/requests/body-stream.js';
import { ValidationPipe } from '../../src/platform/http/requests/validation.pipe.js';
import { startDeadline } from '../../src/platform/http/responses/deadline.js';
import { ProblemFilter } from '../../src/platform/http/responses/problem.filter.js';
import { HttpAdapter } from '../../src/platform/http/server/http.adapter.js';
import { TIME_LIMITS_MS } from '../../src/platform/lib/time-limits.js';

const MAX_BYTES = 200_000;
const STREAM = { body: 'stream', bytes: MAX_BYTES, deadlineMs: 30_000 } as const;

@Controller()
@UseGuards(JsonBodyGuard)
class UploadsController {
  @Put('uploads')
  @HttpCode(200)
  @RouteLimits(STREAM)
  async upload(@Body() body: BodyStream): Promise<{ bytes: number }> {
    return { bytes: (await text(body)).length };
  }

  @Put('read-late')
  @HttpCode(200)
  @RouteLimits(STREAM)
  async uploadReadLate(@Body() body: BodyStream): Promise<{ bytes: number }> {
    await sleep(3 * TIME_LIMITS_MS.bodyProgress);
    return this.upload(body);
  }

  @Put('short')
  @RouteLimits({ ...STREAM, deadlineMs: 1_500 })
  async uploadSoon(@Body() body: BodyStream): Promise<void> {
    await text(body);
  }

  @Put('unknown')
  @RouteLimits(STREAM)
  uploadNowhere(): never {
    return notFound('Upload');
  }

  @Put('documents')
  @HttpCode(200)
  update(): object {
    return {};
  }
}

@Module({ controllers: [UploadsController] })
class UploadsModule {}

/** A client that sends a request in pieces, and the response it gets. */
class SlowClient {
  response = '';
  readonly ended: Promise<string>;
  private readonly socket: Socket;
  private timer?: NodeJS.Timeout;

  constructor(port: number, head: string) {
    this.socket = connect(port, '127.0.0.1').setEncoding('latin1');
    this.socket.on('data', (piece: string) => (this.response += piece)).on('error', () => undefined);
    this.ended = once(this.socket, 'close').then(() => this.response);
    this.socket.write(head);
  }

  /** Sends a piece again and again. @param times omitted: until the connection ends */
  drip(piece: string, intervalMs: number, times = Infinity): void {
    let sent = 0;
    this.timer = setInterval(() => {
      if (sent++ < times) this.socket.write(piece);
      else clearInterval(this.timer);
    }, intervalMs);
    void this.ended.then(() => clearInterval(this.timer));
  }

  end(): void {
    this.socket.destroy();
  }
}

describe('routes that stream their body', () => {
  const product = { ...TIME_LIMITS_MS };
  const clients: SlowClient[] = [];
  let app: NestExpressApplication;

  beforeEach(async () => {
    app = await NestFactory.create<NestExpressApplication>(UploadsModule, new HttpAdapter(), {
      bodyParser: false,
      logger: false,
    });
    app.use((request: Request & { id: string }, response: Response, next: NextFunction) => {
      startDeadline(request, response);
      next();
    });
    app.useGlobalFilters(new ProblemFilter()).useGlobalPipes(new ValidationPipe());
    await app.listen(0, '127.0.0.1');
    const server = app.getHttpServer() as Server;
    server.headersTimeout = 500;
    server.requestTimeout = 1_000;
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.end();
    Object.assign(TIME_LIMITS_MS, product);
    await app.close();
  });

  const put = (path: string, bytes: number, headers = '') => {
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    const client = new SlowClient(
      port,
      `PUT /${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${bytes}\r\n${headers}\r\n`,
    );
    clients.push(client);
    return client;
  };

  it('a streamed body may arrive more slowly than the server allows other requests', async () => {
    Object.assign(TIME_LIMITS_MS, { request: 300 });
    const upload = put('uploads', 30_000);
    upload.drip('x'.repeat(1_000), 100, 30);
    const other = put('documents', 30_000, 'Content-Type: application/json\r\n');
    other.drip(' '.repeat(100), 100);
    expect(await other.ended).toMatch(/^HTTP\/1\.1 408 /);
    expect(await upload.ended).toMatch(/^HTTP\/1\.1 200 .*\{"bytes":30000\}$/s);
  });

  it('a streamed body that makes no progress is ended', async () => {
    Object.assign(TIME_LIMITS_MS, { bodyProgress: 500 });
    const upload = put('uploads', 100_000);
    upload.drip('x', 50);
    expect(await upload.ended).toMatch(/^HTTP\/1\.1 503 .*"detail":"The body arrives too slowly/s);
  });

  it("a client isn't blamed for a handler that reads late", async () => {
    Object.assign(TIME_LIMITS_MS, { bodyProgress: 1_000 });
    const upload = put('read-late', MAX_BYTES);
    upload.drip('x'.repeat(MAX_BYTES), 1, 1);
    expect(await upload.ended).toMatch(/^HTTP\/1\.1 200 .*\{"bytes":200000\}$/s);
  });

  it("a streamed body ends at the route's deadline, even if it arrives steadily", async () => {
    const upload = put('short', 200_000);
    upload.drip('x'.repeat(1_000), 50);
    expect(await upload.ended).toMatch(/^HTTP\/1\.1 503 .*"code":"unavailable"/s);
  });

  it('a streamed body over its limit is rejected, whether or not its length was announced', async () => {
    expect(await put('uploads', MAX_BYTES + 1).ended).toMatch(/^HTTP\/1\.1 400 .*"code":"body_too_large"/s);
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/uploads`, {
      method: 'PUT',
      body: new Blob(['x'.repeat(MAX_BYTES + 1)]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'body_too_large' });
  });

  it('an unread streamed body leaves no connection open', async () => {
    const upload = put('unknown', 100_000);
    upload.drip('x', 50);
    expect(await upload.ended).toMatch(/^HTTP\/1\.1 404 /);
  });
});
