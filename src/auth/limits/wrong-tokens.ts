import { Injectable } from '@nestjs/common';
import { Config, MIN_PRODUCTION_SECRET } from '../../platform/config/config.js';
import { isSameSecret } from '../../platform/lib/secrets.js';
import { unauthorized } from '../../platform/http/requests/bearer.js';
import { type Limit, RateLimits } from './rate-limit.js';

/** The window of WRONG_TOKEN_LIMIT, and so the longest wait, in seconds. */
const WINDOW_SECONDS = 60;

/**
 * Limits how many wrong tokens of any kind one address may send. Tokens are checked first, so a valid token is never refused
 * because of wrong ones from the same address, which many clients may share.
 */
@Injectable()
export class WrongTokens {
  private readonly limit: Limit;

  constructor(limits: RateLimits, { WRONG_TOKEN_LIMIT }: Config) {
    this.limit = limits.make('wrong_tokens', WRONG_TOKEN_LIMIT, WINDOW_SECONDS);
  }

  /**
   * Counts a wrong token and refuses it.
   * @param address a key of `addressKey`
   * @throws Problem `problem`, or rate_limited if the address sent too many wrong tokens
   */
  async reject(address: string, problem: Error = unauthorized()): Promise<never> {
    await this.limit.spend(address);
    throw problem;
  }

  /**
   * Compares a token with a secret of the installation. While the address is rate-limited, a secret short enough to be guessed is
   * refused too.
   * @throws Problem unauthorized, rate_limited
   */
  async compare(address: string, token: string | null, secret: string): Promise<void> {
    if (token === null) throw unauthorized();
    if (secret.length < MIN_PRODUCTION_SECRET) await this.limit.check(address);
    if (!isSameSecret(token, secret)) await this.reject(address);
  }
}
