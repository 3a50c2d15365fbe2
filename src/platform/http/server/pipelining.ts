import type { NextFunction, Request, Response } from 'express';
import type { Socket } from 'node:net';

/** Maximum requests of one connection that may wait for earlier responses. A connection that sends more is closed. */
const MAX_WAITING_REQUESTS = 100;

type Connection = Socket & { waiting?: number };

/**
 * Handles a connection's requests one at a time: a pipelined request starts once the previous response is written. So a
 * client that sends many requests and reads nothing costs one response.
 */
export function oneAtATime({ socket }: Request, response: Response, next: NextFunction): void {
  // Node assigns the socket to a response once the earlier responses are finished.
  if (response.socket !== null) next();
  else if (!socket.destroyed) wait(socket, response, next);
}

function wait(connection: Connection, response: Response, next: NextFunction): void {
  connection.waiting = (connection.waiting ?? 0) + 1;
  if (connection.waiting > MAX_WAITING_REQUESTS) return void connection.destroy();
  response.once('socket', () => {
    connection.waiting!--;
    // Lets other connections run between two requests of this one.
    setImmediate(next);
  });
}
