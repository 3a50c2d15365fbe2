import { Injectable } from '@nestjs/common';
import type { AgentSocket } from './agent-feed.js';
import { Timings } from '../feeds/timings.js';

/** The members of an Engine.IO connection that are used here. The library has no option for a ping of one connection. */
interface PingedConnection {
  readonly readyState: string;
  readonly transport: { readonly socket?: { readonly isPaused: boolean } };
  sendPacket(type: 'ping'): void;
  on(event: 'heartbeat', listener: () => void): void;
  off(event: 'heartbeat', listener: () => void): void;
  onClose(reason: string): void;
}

/**
 * Finds lost connections of agents within 12 s. Engine.IO's own ping is one setting of the server: made short, it would wake
 * the phone of every visitor. Every Engine.IO client answers a ping whenever it comes, so agents' connections get more of
 * them (ADR 17).
 */
@Injectable()
export class AgentHeartbeat {
  constructor(private readonly timings: Timings) {}

  /** Pings the connection of a socket until it is disconnected. */
  watch(socket: AgentSocket): void {
    const connection = socket.conn as unknown as PingedConnection;
    let isAnswered = true;
    const onAnswer = () => (isAnswered = true);
    const timer = setInterval(() => {
      // What a connection sends waits while its requests do: it cannot answer then.
      if (connection.transport.socket?.isPaused) return;
      if (!isAnswered) return connection.onClose('ping timeout');
      isAnswered = false;
      connection.sendPacket('ping');
    }, this.timings.agentPing).unref();
    connection.on('heartbeat', onAnswer);
    socket.once('disconnect', () => {
      clearInterval(timer);
      connection.off('heartbeat', onAnswer);
    });
  }
}
