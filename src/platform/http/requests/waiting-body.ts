import { type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Readable } from 'node:stream';
import { BodyStream, streamBody } from './body-stream.js';
import { TokenBodyGuard } from './json-body.guard.js';
import { invalid, Problem } from '../../errors/problem.js';
import { restartDeadline } from '../responses/deadline.js';

const MULTIPART = /^multipart\/form-data[ \t]*(?:;|$)/i;
const LENGTH = /^\d{1,15}$/;
/** How long a body may arrive, in milliseconds. */
export const BODY_MS = 60 * 60 * 1000;

/** A file's bytes that haven't been read. */
export class WaitingBody {
  private stream?: BodyStream;

  constructor(
    private readonly request: Request,
    private readonly response: Response,
    readonly length: number,
  ) {}

  /** Reads it. The deadline begins here: the checks before it have the usual one. */
  open(): Readable {
    this.response.removeHeader('Connection');
    restartDeadline(this.request as Request & { id: string }, this.response, BODY_MS);
    return (this.stream ??= streamBody(this.request, this.response, this.length));
  }
}

/** The length of a body that must have one. NaN without it. */
export function lengthOf({ headers }: Request): number {
  const text = headers['content-length'] ?? '';
  return LENGTH.test(text) && headers['transfer-encoding'] === undefined ? Number(text) : Number.NaN;
}

/** JSON, or with `chatId` in the query the bytes of a file, which aren't read before everything else is checked (CONTRACT: Uploads). */
@Injectable()
export class UploadBodyGuard extends TokenBodyGuard {
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { id: string }>();
    if (request.query.chatId === undefined) return super.canActivate(context);
    const response = http.getResponse<Response>();
    if (MULTIPART.test(request.headers['content-type'] ?? ''))
      throw new Problem(
        'unsupported_media_type',
        'Send the bytes of the file as the body, and not multipart/form-data',
      );
    if ((request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
      throw new Problem('unsupported_media_type', 'Content-Encoding must be identity: send the bytes as they are');
    const length = lengthOf(request);
    if (!(length > 0)) throw invalid('Content-Length', 'is required, and must be a positive number of bytes');
    request.body = new WaitingBody(request, response, length);
    // An answer that comes before the body was read ends the connection, so the client must not send its next request on it.
    response.setHeader('Connection', 'close');
    response.once('finish', () => request.complete || setTimeout(() => request.socket.destroy(), 1_000).unref());
    return true;
  }
}
