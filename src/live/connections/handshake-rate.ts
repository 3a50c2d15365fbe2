import type { IncomingMessage } from 'node:http';
import type { Server } from 'socket.io';
import { trustConnection } from '../../auth/limits/connections-by-address.js';
import type { PublicRate } from '../../auth/limits/public-rate.js';
import type { LiveMetrics } from '../feeds/live-metrics.js';
import type { ConnectionLimits } from './connection-limits.js';
import { type EngineRequest, type Middleware, refuseHandshake } from './one-origin.js';

interface Dependencies {
  rate: PublicRate;
  limits: ConnectionLimits;
  metrics: LiveMetrics;
}

/**
 * Counts requests that open a connection, or name one that doesn't exist, in the rate of public requests. A poll of a connection
 * that has joined a namespace isn't a stranger's.
 */
export function limitHandshakes(server: Server, { rate, limits, metrics }: Dependencies): Middleware {
  const { clients } = server.engine as unknown as { clients: Record<string, object> };
  return (request, response, next) => {
    const { sid = '' } = (request as EngineRequest)._query;
    const engine = Object.hasOwn(clients, sid) ? clients[sid]! : null;
    if (engine && limits.hasNamespace(engine)) trustConnection(request);
    const counted = engine ? null : rate.spendHandshake(request);
    if (counted === null) return next();
    // An upgrade's socket has no other error listener yet.
    request.socket.on('error', ignore);
    const refuse = () => {
      metrics.onRefused('rate_limited');
      refuseHandshake(request, response, 429, 'too many requests from this address');
    };
    counted.then(() => proceed(request, next), refuse);
  };
}

function proceed({ socket }: IncomingMessage, next: () => void): void {
  next();
  socket.off('error', ignore);
}

const ignore = () => undefined;
