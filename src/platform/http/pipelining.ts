import type { NextFunction, Request, Response } from 'express';
import type { Socket } from 'node:net';

/** Requests of one connection that may wait for the answers before them; a connection that sends more ends. */
const MAX_WAITING = 100;

type Connection = Socket & { waiting?: number };

/**
 * Works on the requests of a connection one after the other: one that was sent before the answer to an earlier one was
 * taken (pipelining) begins when it has been. So a client that sends many in one go and reads nothing has one answer made.
 */
export function inTurn({ socket }: Request, response: Response, next: NextFunction): void {
  // Node gives an answer its connection when those before it are done.
  if (response.socket !== null) next();
  else if (!socket.destroyed) wait(socket, response, next);
}

function wait(connection: Connection, response: Response, next: NextFunction): void {
  connection.waiting = (connection.waiting ?? 0) + 1;
  if (connection.waiting > MAX_WAITING) return void connection.destroy();
  response.once('socket', () => {
    connection.waiting!--;
    // Not at once: others have their turn between two requests of one.
    setImmediate(next);
  });
}
