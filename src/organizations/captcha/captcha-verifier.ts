import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { unavailable } from '../../platform/errors/problem.js';
import {
  OutboundAgent,
  type ResponseController,
  type ResponseHandler,
} from '../../platform/outbound/outbound-agent.js';
import { describeError } from '../../platform/outbound/outbound-error.js';
import { LogSampler } from '../../platform/telemetry/log-sampler.js';
import { describeRedirect, isRedirect } from '../../platform/outbound/redirect.js';
import { CaptchaChecks } from './captcha-checks.js';

/** How long the provider may take, in milliseconds. A request is answered within 5 s. */
const TIMEOUT_MS = 3_000;
/** The most bytes of an answer that are read. */
const MAX_ANSWER_BYTES = 16 * 1024;

/** Asks a captcha's provider whether a response is valid. The visitor's address is never sent. */
@Injectable()
export class CaptchaVerifier implements OnModuleDestroy {
  private readonly logger = new Logger(CaptchaVerifier.name);
  /** Any visitor can cause these lines. */
  private readonly lines = new LogSampler((omitted) => this.logger.log({ omitted }, 'more captchas were not checked'));
  private readonly checks = new CaptchaChecks();

  constructor(private readonly agent: OutboundAgent) {}

  onModuleDestroy(): Promise<void> {
    return this.agent.close();
  }

  /** @throws Problem unavailable if the provider doesn't answer, or too many checks are running */
  async verify(organizationId: string, url: string, secret: string, response: string): Promise<boolean> {
    const place = new AbortController();
    const end = this.checks.begin(organizationId, () => place.abort());
    let hasAnswered = false;
    try {
      const text = await this.post(url, new URLSearchParams({ secret, response }).toString(), place.signal);
      hasAnswered = true;
      const answer = parse(text);
      const codes = answer['error-codes'];
      if (Array.isArray(codes) && codes.includes('invalid-input-secret'))
        this.log(organizationId, url, "a captcha's provider does not know the secret; set it again");
      return answer.success === true;
    } catch (error) {
      this.log(organizationId, url, 'a captcha was not checked', (error as Error).message);
      throw unavailable('The captcha cannot be checked right now');
    } finally {
      end(hasAnswered);
    }
  }

  private log(organizationId: string, url: string, message: string, reason?: string): void {
    if (this.lines.admits(organizationId))
      this.logger.log({ organizationId, provider: new URL(url).host, reason }, message);
  }

  private post(url: string, body: string, place: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      const exchange = new Exchange(url, resolve, (reason) => reject(new Error(reason)));
      place.addEventListener('abort', () => exchange.fail('made room for a check of another organization'));
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Parley' };
      try {
        this.agent.dispatch(url, { method: 'POST', headers, body }, exchange);
      } catch (error) {
        exchange.fail(describeError(error));
      }
    });
  }
}

function parse(text: string): Record<string, unknown> {
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== 'object' || answer === null) throw new Error('answered no object');
  return answer as Record<string, unknown>;
}

/** One request and its response, with limits of time and size. */
class Exchange implements ResponseHandler {
  private readonly chunks: Buffer[] = [];
  private readonly timer = setTimeout(() => this.fail('timed out'), TIMEOUT_MS);
  private controller?: ResponseController;
  private bytes = 0;
  private hasEnded = false;

  constructor(
    private readonly url: string,
    private readonly resolve: (body: string) => void,
    private readonly reject: (reason: string) => void,
  ) {}

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
    // Both providers answer a refused response with 200, and some faults with 400 and the same body.
    if (status >= 500) this.fail(`answered ${status}`);
  }

  onResponseData(_controller: ResponseController, chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes > MAX_ANSWER_BYTES) this.fail('answered too much');
    else this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.controller = undefined;
    this.end(() => this.resolve(Buffer.concat(this.chunks).toString()));
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
