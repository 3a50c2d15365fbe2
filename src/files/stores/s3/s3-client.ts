import { AwsV4Signer } from 'aws4fetch';
import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StoreUrl } from '../../../platform/config/files-url.js';
import { checkKey, StoreUnavailable, WrongKey } from '../store.js';
import { textIn } from './xml.js';

/** Milliseconds until a store is connected, and until it begins its answer, after it has the whole request. */
const ANSWER_MS = 10_000;
/** The most milliseconds without a byte in either direction. */
const IDLE_MS = 75_000;
/** The most bytes of an answer that isn't a file: a listing of 1,000 keys. */
const MAX_TEXT = 4_194_304;
/** How long presigned addresses are valid at the store, in seconds. */
const PRESIGNED_SECONDS = 3_600;
const SOCKETS = { keepAlive: true, maxSockets: 600, scheduling: 'lifo' } as const;

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** In the bucket; empty: the bucket itself. */
  key: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: { stream: Readable; size: number } | string;
  /** Statuses besides 2xx that aren't errors. */
  allowed?: readonly number[];
}

/** Requests of the S3 API, signed with AWS Signature Version 4. Bytes are streamed. */
export class S3Client {
  private readonly agent: HttpAgent;
  private readonly isTls: boolean;

  /** @param publicOrigin of presigned addresses */
  constructor(
    private readonly store: StoreUrl,
    private readonly publicOrigin: string,
  ) {
    this.isTls = store.origin.startsWith('https:');
    this.agent = this.isTls ? new HttpsAgent(SOCKETS) : new HttpAgent(SOCKETS);
  }

  /** Sends a request. Returns when the answer begins: read or destroy it. @throws StoreUnavailable, or what the body threw */
  async send(request: S3Request): Promise<IncomingMessage> {
    const answer = await this.answerTo(request).catch((error: unknown) => {
      throw error instanceof BodyFailed ? error.cause : unavailable(error);
    });
    const status = answer.statusCode ?? 0;
    if (status >= 200 && status < 300) return answer;
    if (!request.allowed?.includes(status)) throw await refusal(answer, status);
    if (status !== 404 || request.method === 'HEAD') {
      answer.resume();
      return answer;
    }
    // A missing bucket must not count as a missing object.
    const code = textIn(await readText(answer), 'Code');
    if (code === 'NoSuchBucket') throw new StoreUnavailable('404 NoSuchBucket');
    return answer;
  }

  /** The answer's headers and text. @throws StoreUnavailable */
  async ask(request: S3Request): Promise<{ status: number; headers: IncomingMessage['headers']; text: string }> {
    const answer = await this.send(request);
    if (request.method === 'HEAD') answer.resume();
    const text = request.method === 'HEAD' || answer.readableEnded ? '' : await readText(answer);
    return { status: answer.statusCode ?? 0, headers: answer.headers, text };
  }

  /** An address that needs no secret, valid for an hour. With `length`, the signature includes that `Content-Length`. */
  async presign(method: 'GET' | 'PUT', key: string, more: { query?: Record<string, string>; length?: number }) {
    const url = this.urlOf(this.publicOrigin, key, { ...more.query, 'X-Amz-Expires': String(PRESIGNED_SECONDS) });
    const headers: Record<string, string> = more.length === undefined ? {} : { 'Content-Length': String(more.length) };
    const signed = await this.sign(method, url, headers, { signQuery: true, allHeaders: true });
    return signed.url.href;
  }

  close(): void {
    this.agent.destroy();
  }

  private async answerTo(request: S3Request): Promise<IncomingMessage> {
    try {
      return await this.attempt(request);
    } catch (error) {
      // The store had closed the idle connection. A streamed body can't be sent again.
      const isStale = error instanceof StaleConnection && typeof request.body !== 'object';
      if (!isStale) throw error;
      return this.attempt(request);
    }
  }

  private async attempt({ method, key, query, headers: more, body }: S3Request): Promise<IncomingMessage> {
    const length = typeof body === 'object' ? body.size : Buffer.byteLength(body ?? '');
    const { url, headers } = await this.sign(method, this.urlOf(this.store.origin, key, query), { ...more }, {});
    headers.set('Content-Length', String(length));
    const options = { method, agent: this.agent, headers: Object.fromEntries(headers) };
    const request = this.isTls ? httpsRequest(url, options) : httpRequest(url, options);
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve);
      request.once('error', (error: NodeJS.ErrnoException) =>
        reject(request.reusedSocket && error.code === 'ECONNRESET' ? new StaleConnection() : error),
      );
    });
    answer.catch(() => undefined);
    limitConnecting(request, this.isTls ? 'secureConnect' : 'connect');
    request.setTimeout(IDLE_MS, () => request.destroy(new Error('no bytes for 75 s')));
    let timer: NodeJS.Timeout | undefined;
    const begin = () => (timer = setTimeout(() => request.destroy(new Error('no answer in 10 s')), ANSWER_MS));
    request.once('finish', begin);
    try {
      if (typeof body === 'object') await sendBody(body.stream, request, answer);
      else request.end(body);
      return await answer;
    } finally {
      clearTimeout(timer);
    }
  }

  private urlOf(origin: string, key: string, query: Record<string, string> = {}): URL {
    const { bucket, isVirtual } = this.store;
    if (key !== '') checkKey(key);
    // A URL reads a backslash as a slash, and a question mark as the end of the path.
    const path = key.split('/').map(encodeURIComponent).join('/');
    const url = new URL(`${origin}/${isVirtual ? path : `${bucket}/${path}`}`);
    // The same encoding as in the signature: a plus is read as a space by some stores.
    url.search = Object.entries(query)
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
      .join('&');
    return url;
  }

  private async sign(
    method: string,
    url: URL,
    headers: Record<string, string>,
    how: { signQuery?: boolean; allHeaders?: boolean },
  ) {
    const { key, secret, region } = this.store;
    const credentials = { accessKeyId: key, secretAccessKey: secret, service: 's3', region };
    return new AwsV4Signer({ method, url: url.href, headers, ...credentials, ...how }).sign();
  }
}

/** What a body threw: a client that broke off, or was too slow. */
class BodyFailed extends Error {}
class StaleConnection extends Error {
  readonly code = 'ECONNRESET';
}

/** Destroys a request without a connection after 10 s, because Node counts the milliseconds without a byte only from then on. */
function limitConnecting(request: ClientRequest, event: 'connect' | 'secureConnect'): void {
  const timer = setTimeout(() => request.destroy(new Error('no connection in 10 s')), ANSWER_MS);
  const end = () => clearTimeout(timer);
  request.once('close', end);
  request.once('socket', (socket) => (request.reusedSocket ? end() : socket.once(event, end)));
}

/** Sends a body. A store that answers before it has the whole body has refused it, so the rest isn't sent. */
async function sendBody(body: Readable, request: NodeJS.WritableStream, answer: Promise<IncomingMessage>) {
  let fault: unknown;
  body.once('error', (error) => (fault ??= error));
  const early = answer.then(() => body.destroy());
  try {
    await Promise.race([pipeline(body, request), early]);
  } catch (error) {
    if (fault !== undefined && fault === error) throw new BodyFailed('the body failed', { cause: fault });
    throw error;
  }
}

async function readText(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > MAX_TEXT) throw new Error('the answer is too long');
      parts.push(part);
    }
  } catch (error) {
    throw unavailable(error);
  }
  return Buffer.concat(parts).toString();
}

async function refusal(answer: IncomingMessage, status: number): Promise<StoreUnavailable> {
  const text = await readText(answer).catch(() => '');
  return new StoreUnavailable(`${status} ${codeIn(text)}`.trim());
}

/** The code of an error in an answer. Empty unless it's one word, because it's logged. */
export function codeIn(text: string): string {
  const code = textIn(text, 'Code') ?? '';
  return /^\w{1,64}$/.test(code) ? code : '';
}

function unavailable(error: unknown): StoreUnavailable | WrongKey {
  if (error instanceof StoreUnavailable || error instanceof WrongKey) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  return new StoreUnavailable(code ?? message, { cause: error });
}
