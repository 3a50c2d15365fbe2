import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';

/** The members of an Engine.IO connection that are used here. */
export interface FlushingConnection {
  readonly transport: { readonly socket?: WebSocket };
  on(event: 'flush', listener: (packets: readonly unknown[]) => void): void;
  on(event: 'drain', listener: () => void): void;
}

/** Writes the packets that a connection flushes together in one system call instead of one each. */
export function joinWrites(connection: FlushingConnection): void {
  connection.on('flush', cork);
  connection.on('drain', uncork);
}

function cork(this: FlushingConnection, packets: readonly unknown[]): void {
  if (packets.length > 1) streamOf(this)?.cork();
}

// `drain` follows immediately after the packets were written.
function uncork(this: FlushingConnection): void {
  const stream = streamOf(this);
  if (stream?.writableCorked) stream.uncork();
}

function streamOf({ transport }: FlushingConnection): Socket | undefined {
  return (transport.socket as unknown as { _socket?: Socket } | undefined)?._socket;
}
