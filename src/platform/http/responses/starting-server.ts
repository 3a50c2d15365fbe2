import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Config } from '../../config/config.js';
import { unavailable } from '../../errors/problem.js';
import { toBody } from './problem.filter.js';

/** The limit for a request, in milliseconds, and for open connections: health checks are short and few. */
const REQUEST_TIMEOUT_MS = 5_000;
const MAX_CONNECTIONS = 100;
/** When a client may ask again, in seconds. */
const RETRY_SECONDS = 5;

/**
 * Answers in the service's place while the database is migrated, so that an orchestrator doesn't end a start that takes long:
 * `/health/live` is 200, and everything else 503 with what the start does.
 */
export class StartingServer {
  private hasListened = false;
  private readonly server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => this.answer(request, response),
  );

  /** @param detail what the start does now */
  constructor(
    private readonly config: Config,
    private readonly detail: () => string,
  ) {
    this.server.maxConnections = MAX_CONNECTIONS;
    // A port that's in use is reported when the service itself listens.
    this.server.on('error', () => undefined);
  }

  /** Listens, if it doesn't yet. Without a fixed port, no client would find it. */
  listen(): void {
    const { PORT, HOST } = this.config;
    if (this.hasListened || PORT === 0) return;
    this.hasListened = true;
    this.server.listen(PORT, HOST);
  }

  /** Frees the port for the service. */
  close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    return closed;
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? '').split('?')[0]!;
    const isLive = ['/health/live', `${this.config.basePath}/health/live`].includes(path);
    response.setHeader('Connection', 'close').setHeader('Cache-Control', 'no-store');
    if (isLive) {
      response.setHeader('Content-Type', 'application/json; charset=utf-8').end('{"status":"ok"}');
      return;
    }
    const problem = unavailable(this.detail(), RETRY_SECONDS);
    const id = randomUUID();
    response.writeHead(problem.status, {
      'Content-Type': 'application/problem+json; charset=utf-8',
      'Retry-After': RETRY_SECONDS,
      'X-Request-Id': id,
    });
    response.end(JSON.stringify(toBody(problem, id, this.config.PUBLIC_URL)));
  }
}
