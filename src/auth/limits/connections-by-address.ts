import { Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Config } from '../../platform/config/config.js';
import { ClosedConnections } from '../../platform/http/server/closed-connections.js';
import { ClientAddress } from './client-address.js';

const TRUSTED = Symbol('trusted');

/** @property _httpMessage Node's response in progress */
type Connection = Socket & { _httpMessage?: ServerResponse | null; [TRUSTED]?: true };

/** Call this when a client has shown what no stranger has: the token of a bot, an agent, or an administrator, or a socket. */
export function trustConnection({ socket }: { socket: Socket }): void {
  (socket as Connection)[TRUSTED] = true;
}

/**
 * Limits the connections of strangers by address. If an address opens more, one of them is closed: the oldest without a request
 * in progress, or the oldest of all. So a health check or a new visitor behind the same address can always connect. Not counted
 * are trusted proxies, and connections that bots, agents, or sockets use, which have limits of their own.
 */
@Injectable()
export class ConnectionsByAddress {
  /** The connections of each address, the oldest first. */
  private readonly connections = new Map<string, Set<Connection>>();
  private readonly keys = new WeakMap<Socket, string>();
  private readonly max: number;

  constructor(
    private readonly address: ClientAddress,
    private readonly closed: ClosedConnections,
    { VISITOR_CONNECTION_LIMIT }: Config,
  ) {
    this.max = VISITOR_CONNECTION_LIMIT;
  }

  /** Counts a new connection until it closes. */
  add(connection: Connection): void {
    const key = this.max === 0 ? null : this.address.ofClient(connection);
    if (key === null) return;
    const others = this.connections.get(key) ?? new Set();
    if (others.size >= this.max) this.closeOne(others);
    this.connections.set(key, others.add(connection));
    this.keys.set(connection, key);
    connection.once('close', () => this.release(connection));
  }

  /** Stops counting a connection, which became a socket or has closed. */
  release(connection: Connection): void {
    const key = this.keys.get(connection);
    if (key === undefined) return;
    this.keys.delete(connection);
    const others = this.connections.get(key);
    others?.delete(connection);
    if (others?.size === 0) this.connections.delete(key);
  }

  private closeOne(connections: Set<Connection>): void {
    for (const connection of connections) if (connection[TRUSTED]) this.release(connection);
    if (connections.size < this.max) return;
    const connection = oldestOf(connections);
    this.closed.add('connections_of_address');
    this.release(connection);
    connection.destroy();
  }
}

function oldestOf(connections: Set<Connection>): Connection {
  for (const connection of connections) if (!connection._httpMessage) return connection;
  const [oldest] = connections;
  return oldest!;
}
