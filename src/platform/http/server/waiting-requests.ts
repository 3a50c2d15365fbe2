import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The most pipelined requests of one connection that wait for earlier answers. */
const MAX_WAITING = 8;
/** The same for all connections of the process: each may hold 16 kB of headers. */
export const MAX_WAITING_IN_PROCESS = 1_000;
/** The connection ends if its client has sent nothing since more bytes of answers than this, and a further request waits. */
const MAX_UNREAD_BYTES = 65_536;

/** Why a connection with pipelined requests is closed. */
export type PipelineLimit = 'waiting_requests' | 'all_waiting_requests' | 'unread_answers';

interface Waiting {
  requests: number;
  /** The bytes written to the connection when the last request arrived. */
  written: number;
}

const WAITING = Symbol('waiting requests');

/** @property _httpMessage Node's response in progress */
type Connection = Socket & { _httpMessage?: ServerResponse | null; [WAITING]?: Waiting };

/**
 * Handles a connection's requests one at a time, and limits how many wait. A waiting request starts when the previous answer has
 * been passed to the network, and only if the client seems to read: it has sent something since the last 64 kB of answers.
 * Otherwise the connection ends, because the network takes megabytes for a client that reads nothing. A client that waits for
 * each answer, as all browsers and HTTP libraries do, never has a waiting request.
 */
export class WaitingRequests {
  private total = 0;

  /** @param onLimit is called before a connection is closed */
  constructor(private readonly onLimit: (limit: PipelineLimit) => void) {}

  /** Counts a request when its headers have arrived. Returns false if the connection sent too many, or has ended. */
  accept(connection: Connection): boolean {
    if (connection.destroyed || connection.writableEnded) return false;
    if (!connection._httpMessage) return true;
    const waiting = (connection[WAITING] ??= this.begin(connection));
    if (waiting.requests >= MAX_WAITING) return this.refuse('waiting_requests');
    if (this.total >= MAX_WAITING_IN_PROCESS) return this.refuse('all_waiting_requests');
    waiting.requests++;
    this.total++;
    waiting.written = connection.bytesWritten;
    return true;
  }

  /** Whether requests of the connection wait. */
  has(connection: Connection): boolean {
    return (connection[WAITING]?.requests ?? 0) > 0;
  }

  /** Whether every request of the connection is answered, and it can take another protocol. */
  isIdle(connection: Connection): boolean {
    return !connection._httpMessage && !connection.writableEnded;
  }

  /** Calls `start` when it's the request's turn. */
  run(response: ServerResponse, start: () => void): void {
    // Node assigns the connection to a response once the earlier ones are finished.
    if (response.socket !== null) start();
    else response.once('socket', (connection: Connection) => this.onTurn(connection, start));
  }

  private onTurn(connection: Connection, start: () => void): void {
    const waiting = connection[WAITING]!;
    waiting.requests--;
    this.total--;
    if (connection.bytesWritten - waiting.written > MAX_UNREAD_BYTES) {
      this.onLimit('unread_answers');
      connection.destroySoon();
    }
    // Lets other connections run between two requests of this one.
    else setImmediate(() => connection.destroyed || start());
  }

  private begin(connection: Connection): Waiting {
    const waiting = { requests: 0, written: 0 };
    connection.once('close', () => {
      this.total -= waiting.requests;
      waiting.requests = 0;
    });
    return waiting;
  }

  private refuse(limit: PipelineLimit): false {
    this.onLimit(limit);
    return false;
  }
}
