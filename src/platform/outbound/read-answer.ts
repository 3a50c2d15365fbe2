import type { OutboundAgent, OutboundRequest, ResponseController, ResponseHandler } from './outbound-agent.js';
import { describeError } from './outbound-error.js';
import { describeRedirect, isRedirect } from './redirect.js';

/** A whole response. */
export interface Answer {
  status: number;
  body: Buffer;
}

interface AnswerLimits {
  /** Milliseconds from the DNS lookup to the last byte. */
  timeoutMs: number;
  /** The most bytes of the body. */
  maxBytes: number;
  /** Aborts the request, with the message of its reason. */
  signal?: AbortSignal;
}

/**
 * Makes one request, and reads the response into memory.
 * @throws Error in plain text: no response in time, a redirect, or too many bytes
 */
export function readAnswer(
  agent: OutboundAgent,
  url: string,
  request: OutboundRequest,
  limits: AnswerLimits,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const exchange = new Exchange(url, limits, resolve, (reason) => reject(new Error(reason)));
    limits.signal?.addEventListener('abort', () => exchange.fail((limits.signal!.reason as Error).message));
    try {
      agent.dispatch(url, request, exchange);
    } catch (error) {
      exchange.fail(describeError(error));
    }
  });
}

class Exchange implements ResponseHandler {
  private readonly chunks: Buffer[] = [];
  private readonly timer: NodeJS.Timeout;
  private controller?: ResponseController;
  private status = 0;
  private bytes = 0;
  private hasEnded = false;

  constructor(
    private readonly url: string,
    private readonly limits: AnswerLimits,
    private readonly resolve: (answer: Answer) => void,
    private readonly reject: (reason: string) => void,
  ) {
    this.timer = setTimeout(() => this.fail('timed out'), limits.timeoutMs);
  }

  onRequestStart(controller: ResponseController): void {
    this.controller = controller;
    if (this.hasEnded) controller.abort(new Error('too late'));
  }

  onResponseStart(
    _controller: ResponseController,
    status: number,
    { location }: Record<string, string | string[] | undefined>,
  ): void {
    if (isRedirect(status)) return this.fail(describeRedirect(status, this.url, [location].flat()[0] ?? null));
    this.status = status;
  }

  onResponseData(_controller: ResponseController, chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes > this.limits.maxBytes) this.fail('answered too much');
    else this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.controller = undefined;
    this.end(() => this.resolve({ status: this.status, body: Buffer.concat(this.chunks) }));
  }

  onResponseError(_controller: ResponseController | undefined, error: Error): void {
    this.controller = undefined;
    this.fail(describeError(error));
  }

  fail(reason: string): void {
    this.end(() => this.reject(reason));
  }

  private end(settle: () => void): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    clearTimeout(this.timer);
    this.controller?.abort(new Error('enough'));
    settle();
  }
}
