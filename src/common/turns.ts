import type { NextFunction, Request, Response } from 'express';
import type { Socket } from 'node:net';

/** Requests of one connection that are worked on at the same time, until their answers have been taken. */
const AT_ONCE = 4;

type Connection = Socket & { requests?: number; waiting?: NextFunction[] };

/**
 * Works on few requests of a connection at a time: whoever sends many in one go, and reads no answer, has no more than
 * a few made.
 */
export function inTurn({ socket }: Request, response: Response, next: NextFunction): void {
  const connection = socket as Connection;
  connection.requests = (connection.requests ?? 0) + 1;
  response.once('close', goOn);
  if (connection.requests <= AT_ONCE) next();
  else (connection.waiting ??= []).push(next);
}

function goOn(this: Response): void {
  const connection = this.req.socket as Connection;
  connection.requests!--;
  connection.waiting?.shift()?.();
}
