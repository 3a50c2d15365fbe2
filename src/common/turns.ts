import type { NextFunction, Request, Response } from 'express';

/**
 * Works on the requests of a connection one after the other: one that was sent before the answer to an earlier one was
 * taken (pipelining) begins when it has been. So a client that sends many in one go and reads nothing has one answer made.
 */
export function inTurn(_request: Request, response: Response, next: NextFunction): void {
  // Node gives an answer its connection when those before it are done.
  if (response.socket === null) response.once('socket', () => next());
  else next();
}
