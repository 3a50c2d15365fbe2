import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import type { Server } from 'socket.io';
import type { Config } from '../../platform/config/config.js';

export type EngineRequest = IncomingMessage & { _query: { sid?: string } };
export type Middleware = (request: IncomingMessage, response: unknown, next: () => void) => void;

const MESSAGE = 'this connection was opened by another origin';

/**
 * Binds a connection to the origin that opened it. The allow-list is checked only then: later polls and the upgrade carry just
 * the connection's id.
 */
export function oneOrigin(server: Server, { PUBLIC_URL }: Config): Middleware {
  const ownHost = PUBLIC_URL === undefined ? undefined : new URL(PUBLIC_URL).host;
  return (request, response, next) => {
    const { sid = '' } = (request as EngineRequest)._query;
    const { clients } = server.engine as unknown as { clients: Record<string, { request: IncomingMessage }> };
    if (!Object.hasOwn(clients, sid) || isOf(clients[sid]!.request, request, ownHost)) return next();
    refuseHandshake(request, response, 403, MESSAGE);
  };
}

// To the page's own origin, browsers send an Origin with a POST or an upgrade, but not with a GET.
function isOf(opened: IncomingMessage, { headers }: IncomingMessage, ownHost: string | undefined): boolean {
  if (headers.origin === opened.headers.origin) return true;
  if (opened.headers.origin !== undefined || headers.origin === undefined) return false;
  const host = URL.canParse(headers.origin) ? new URL(headers.origin).host : '';
  return host !== '' && (host === headers.host || host === ownHost);
}

/** Answers a request of Engine.IO instead of its server. */
export function refuseHandshake(
  { socket }: IncomingMessage,
  response: unknown,
  status: 403 | 429,
  message: string,
): void {
  if (response instanceof ServerResponse) {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ code: 4, message }));
    return;
  }
  // An upgrade has no response, and its socket has no other error listener.
  socket.on('error', () => socket.destroy());
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
  socket.end(`${head}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}
