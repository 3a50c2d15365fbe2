import { Injectable } from '@nestjs/common';
import type { AgentSocket } from './agent-feed.js';
import { Timings } from '../feeds/timings.js';

/** The members of an Engine.IO connection that are used here. The library has no option to ping a single connection. */
interface PingedConnection {
  readonly readyState: string;
  readonly transport: { readonly socket?: { readonly isPaused: boolean } };
  sendPacket(type: 'ping'): void;
  on(event: 'heartbeat', listener: () => void): void;
  off(event: 'heartbeat', listener: () => void): void;
  onClose(reason: string): void;
}

/**
 * Detects an agent's lost connection within 12 s. Engine.IO's own ping interval is one setting for the whole server: a short one
 * would wake every visitor's phone. Every Engine.IO client answers a ping at any time, so agents' connections get extra pings
 * (ADR 17).
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
      // While a connection's requests wait, its incoming packets wait too, so it can't answer.
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
