import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { PATIENCE } from './eventually.js';

interface Arrival {
  event: string;
  payload: any;
}

export type VisitorSocketOptions = Partial<ManagerOptions & SocketOptions>;

/** A visitor, or an agent, on a real socket. It keeps every event, so that waiting for one can't start too late. */
export class VisitorSocket {
  readonly arrivals: Arrival[] = [];
  private readonly waiting = new Set<() => void>();
  private read = 0;

  constructor(readonly socket: Socket) {
    socket.onAny((event: string, payload: unknown) => {
      this.arrivals.push({ event, payload });
      for (const look of this.waiting) look();
    });
  }

  static async connect(
    url: string,
    token: unknown,
    options: VisitorSocketOptions = {},
    namespace = 'visitor',
  ): Promise<VisitorSocket> {
    const socket = io(`${url}/${namespace}`, {
      auth: { token },
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      ...options,
    });
    const visitor = new VisitorSocket(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('connect_error', (error) => {
        socket.close();
        reject(error);
      });
    });
    return visitor;
  }

  /** Sends a request, and returns its ack. */
  ask(event: string, payload?: unknown): Promise<any> {
    return this.socket.timeout(PATIENCE).emitWithAck(event, payload);
  }

  /** Sends a request, and returns the names of the events that arrived before the ack. */
  arrivedBefore(event: string, payload: unknown): Promise<string[]> {
    return new Promise((resolve) => {
      this.socket.emit(event, payload, () => resolve(this.arrivals.map((arrival) => arrival.event)));
    });
  }

  /** The next event of this name that no earlier `next` has returned. */
  async next(event: string): Promise<any> {
    for (;;) {
      const found = this.arrivals.findIndex((arrival, index) => index >= this.read && arrival.event === event);
      if (found >= 0) {
        this.read = found + 1;
        return this.arrivals[found]!.payload;
      }
      await this.arrival();
    }
  }

  /** The events of this name that have arrived. */
  all(event: string): any[] {
    return this.arrivals.filter((arrival) => arrival.event === event).map(({ payload }) => payload);
  }

  /** Waits until a condition on the arrived events holds. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await this.arrival();
  }

  close(): void {
    this.socket.close();
  }

  private arrival(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(look);
        reject(new Error(`nothing more arrived; so far ${this.arrivals.map(({ event }) => event).join(', ')}`));
      }, PATIENCE);
      const look = () => {
        clearTimeout(timer);
        this.waiting.delete(look);
        resolve();
      };
      this.waiting.add(look);
    });
  }
}
