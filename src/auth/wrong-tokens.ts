import { Injectable } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import { isSameSecret } from '../platform/lib/secrets.js';
import { unauthorized } from '../platform/http/bearer.js';
import { type Limit, RateLimits } from './rate-limit.js';

/** The window of WRONG_TOKEN_LIMIT, in seconds: a throttled address waits no longer. */
const WINDOW = 60;

/**
 * Bounds the tokens of any kind that one address may guess. An address that guessed too often is refused for the rest of
 * the minute before its token is looked at, so that nothing is learned and nothing is spent.
 */
@Injectable()
export class WrongTokens {
  private readonly limit: Limit;

  constructor(limits: RateLimits, { WRONG_TOKEN_LIMIT }: Config) {
    this.limit = limits.make('wrong_tokens', WRONG_TOKEN_LIMIT, WINDOW);
  }

  /** @param address as `addressKey` makes it @throws Problem rate_limited when the address has guessed too often */
  check(address: string): Promise<void> {
    return this.limit.check(address);
  }

  note(address: string): void {
    this.limit.note(address);
  }

  /**
   * Lets pass who presents a secret of the installation. A throttled address is not told whether it was right.
   * @throws Problem unauthorized, rate_limited
   */
  async compare(address: string, token: string | null, secret: string): Promise<void> {
    if (token === null) throw unauthorized();
    await this.check(address);
    if (isSameSecret(token, secret)) return;
    this.note(address);
    throw unauthorized();
  }
}
