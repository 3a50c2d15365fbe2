import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { unavailable } from '../../platform/errors/problem.js';
import { TIME_LIMITS_MS } from '../../platform/lib/time-limits.js';
import { OutboundAgent } from '../../platform/outbound/outbound-agent.js';
import { readAnswer } from '../../platform/outbound/read-answer.js';
import { LogSampler } from '../../platform/telemetry/log-sampler.js';
import { CaptchaChecks } from './captcha-checks.js';

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
    const end = this.checks.begin(organizationId, () =>
      place.abort(new Error('made room for a check of another organization')),
    );
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

  private async post(url: string, body: string, signal: AbortSignal): Promise<string> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Parley' };
    const limits = { timeoutMs: TIME_LIMITS_MS.captcha, maxBytes: MAX_ANSWER_BYTES, signal };
    const answer = await readAnswer(this.agent, url, { method: 'POST', headers, body }, limits);
    // Both providers answer a refused response with 200, and some faults with 400 and the same body.
    if (answer.status >= 500) throw new Error(`answered ${answer.status}`);
    return answer.body.toString();
  }
}

function parse(text: string): Record<string, unknown> {
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== 'object' || answer === null) throw new Error('answered no object');
  return answer as Record<string, unknown>;
}
