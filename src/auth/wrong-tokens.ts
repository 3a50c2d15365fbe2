import { Injectable } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import { isSameSecret } from '../platform/lib/secrets.js';
import { unauthorized } from '../platform/http/bearer.js';
import { type Limit, RateLimits } from './rate-limit.js';

/** The window of WRONG_TOKEN_LIMIT, in seconds, and so the longest wait of a refused address. */
const WINDOW = 60;

/**
 * Limits how many wrong tokens of any kind one address may send. Above the limit, the address is refused for the rest
 * of the minute before its token is checked: the sender learns nothing, and the refusal costs nothing.
 */
@Injectable()
export class WrongTokens {
  private readonly limit: Limit;

  constructor(limits: RateLimits, { WRONG_TOKEN_LIMIT }: Config) {
    this.limit = limits.make('wrong_tokens', WRONG_TOKEN_LIMIT, WINDOW);
  }

  /** @param address a key of `addressKey` @throws Problem rate_limited when the address sent too many wrong tokens */
  check(address: string): Promise<void> {
    return this.limit.check(address);
  }

  count(address: string): void {
    this.limit.count(address);
  }

  /**
   * Compares a token with a secret of the installation. An address over its limit does not learn whether the token is
   * right.
   * @throws Problem unauthorized, rate_limited
   */
  async compare(address: string, token: string | null, secret: string): Promise<void> {
    if (token === null) throw unauthorized();
    await this.check(address);
    if (isSameSecret(token, secret)) return;
    this.count(address);
    throw unauthorized();
  }
}
