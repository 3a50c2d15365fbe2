import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Config } from '../common/config.js';
import type { BotIdentity } from './access-tokens.queries.js';
import { AccessTokensService } from './access-tokens.service.js';
import { bearerToken } from './bearer.js';
import { type Limit, RateLimits } from './rate-limit.js';

type BotRequest = Request & { bot: BotIdentity };

/** Lets in who carries a valid access token, within the token's rate. */
@Injectable()
export class BotGuard implements CanActivate {
  private readonly rate: Limit;

  constructor(
    private readonly tokens: AccessTokensService,
    limits: RateLimits,
    config: Config,
  ) {
    this.rate = limits.make('bot', config.BOT_RATE_LIMIT);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<BotRequest>();
    request.bot = await this.tokens.authenticate(bearerToken(request.headers.authorization));
    await this.rate.spend(request.bot.tokenId);
    return true;
  }
}

/** The bot that calls. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<BotRequest>().bot,
);
