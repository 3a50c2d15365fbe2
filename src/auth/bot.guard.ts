import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import { AccessTokensService } from './access-tokens.service.js';
import { addressOf } from './address.js';
import { bearerToken, unauthorized } from '../platform/http/bearer.js';
import { contextOf, type RequestWithContext } from './request-context.js';
import { type Limit, RateLimits } from './rate-limit.js';
import { WrongTokens } from './wrong-tokens.js';

/**
 * Lets in who carries a valid access token, within the token's rate. The form is checked and the rate is spent before
 * the database is asked.
 */
@Injectable()
export class BotGuard implements CanActivate {
  private readonly rate: Limit;

  constructor(
    private readonly tokens: AccessTokensService,
    private readonly wrong: WrongTokens,
    limits: RateLimits,
    config: Config,
  ) {
    this.rate = limits.make('bot', config.BOT_RATE_LIMIT);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<RequestWithContext>();
    const text = bearerToken(request.headers.authorization);
    if (text === null) throw unauthorized();
    const token = this.tokens.read(text);
    // A token that was right a moment ago is no guess, whatever others at its address do.
    if (!token?.wasRight) await this.wrong.check(addressOf(request));
    if (token) await this.rate.spend(token.key);
    const bot = token && (await this.tokens.authenticate(token));
    if (!bot) {
      this.wrong.note(addressOf(request));
      throw unauthorized();
    }
    request.context = contextOf(request, bot.organizationId, { type: 'BOT', id: bot.botId, name: bot.name });
    return true;
  }
}
