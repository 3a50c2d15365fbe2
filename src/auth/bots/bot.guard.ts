import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { Config } from '../../platform/config/config.js';
import type { BotIdentity } from './access-tokens.queries.js';
import { AccessTokensService } from './access-tokens.service.js';
import { addressOf } from '../limits/address.js';
import { bearerToken, unauthorized } from '../../platform/http/requests/bearer.js';
import { contextOf, type RequestWithContext } from '../context/request-context.js';
import { spendAndReport } from '../limits/rate-limit-headers.js';
import { type Limit, RateLimits } from '../limits/rate-limit.js';
import { WrongTokens } from '../limits/wrong-tokens.js';

type RequestOfBot = RequestWithContext & { bot: BotIdentity };

/** The bot that the guard has authenticated, with its token. */
export const CallingBot = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<RequestOfBot>().bot,
);

/** Gives a route a rate limit of its own, so that its calls don't count against other calls. */
export const OwnRate = Reflector.createDecorator<'bot_typing'>();

/**
 * Requires a valid access token, and limits the token's rate. The token's form and rate are checked before the database is
 * read.
 */
@Injectable()
export class BotGuard implements CanActivate {
  private readonly rate: Limit;
  private readonly typingRate: Limit;

  constructor(
    private readonly tokens: AccessTokensService,
    private readonly wrong: WrongTokens,
    private readonly reflector: Reflector,
    limits: RateLimits,
    config: Config,
  ) {
    this.rate = limits.make('bot', config.BOT_RATE_LIMIT);
    this.typingRate = limits.make('bot_typing', config.BOT_RATE_LIMIT);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<RequestOfBot>();
    const text = bearerToken(request.headers.authorization);
    if (text === null) throw unauthorized();
    const token = this.tokens.parse(text);
    if (token) await spendAndReport(this.rateOf(context), token.key, http.getResponse<Response>());
    const bot = token && (await this.tokens.authenticate(token));
    if (!bot) return this.wrong.reject(addressOf(request));
    request.bot = bot;
    request.context = contextOf(request, bot.organizationId, { type: 'BOT', id: bot.botId, name: bot.name });
    return true;
  }

  private rateOf(context: ExecutionContext): Limit {
    return this.reflector.get(OwnRate, context.getHandler()) ? this.typingRate : this.rate;
  }
}
