import { type CanActivate, type ExecutionContext, Injectable, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { unavailable } from './problem.js';
import { answerProblem } from './problem.filter.js';

/**
 * A request is answered within this time, in milliseconds, by 503 if by nothing else: several statements that each may
 * wait, for a connection and for their end, would make a client wait for all of it. What was begun may still be done, as
 * when an answer is lost, and a client that tries again does as it does then.
 */
export const DEADLINE = 4_000;

type Limited = Response & { deadline?: NodeJS.Timeout };

/** What a request is told that was not answered in time. */
export const tookTooLong = () => unavailable('It takes too long');

/** Sees to it that the request is answered in time; one timer and one listener, as each request pays for it. */
export function limitTime(request: Request & { id: string }, response: Limited): void {
  response.deadline = setTimeout(giveUp, DEADLINE, request, response);
  response.once('close', stopTimer);
}

/** What the work answers, in time. @throws Problem unavailable when it takes longer; it may still be done */
export async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(tookTooLong()), DEADLINE)));
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function stopTimer(this: Limited): void {
  clearTimeout(this.deadline);
}

function giveUp(request: Request & { id: string }, response: Limited): void {
  if (response.headersSent) return;
  const isArriving = request.readableFlowing && !request.complete;
  if (isArriving) response.deadline = setTimeout(giveUp, DEADLINE, request, response);
  else answerProblem(response, request.id, tookTooLong());
}

@Injectable()
class NoDeadlineGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    clearTimeout(context.switchToHttp().getResponse<Limited>().deadline);
    return true;
  }
}

/** Marks a route whose work has a longer limit of its own. */
export const NoDeadline = () => UseGuards(NoDeadlineGuard);
