import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { BotMetrics } from '../../bots/bot-metrics.js';
import { Config } from '../../platform/config/config.js';
import type { BotIdentity } from './access-tokens.queries.js';
import { hasScope, type Scope, UNNAMED_SCOPES } from './scope.js';
import { AccessTokensService } from './access-tokens.service.js';
import { Problem } from '../../platform/errors/problem.js';
import { addressOf } from '../limits/address.js';
import { markAuthenticated } from '../../platform/http/responses/access-log.js';
import { bearerToken, unauthorized } from '../../platform/http/requests/bearer.js';
import { trustConnection } from '../limits/connections-by-address.js';
import { contextOf, type RequestWithContext } from '../context/request-context.js';
import { spendAndReport } from '../limits/rate-limit-headers.js';
import { type Limit, RateLimits } from '../limits/rate-limit.js';
import { WrongTokens } from '../limits/wrong-tokens.js';

type RequestOfBot = RequestWithContext & { bot: BotIdentity };

/** The bot that the guard has authenticated, with its token. */
export const CallingBot = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<RequestOfBot>().bot,
);

/** Names the scope that a route needs; without it, a `GET` needs `read`, and every other method `write`. */
export const NeedsScope = Reflector.createDecorator<Scope | 'none'>();

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
    private readonly metrics: BotMetrics,
    limits: RateLimits,
    config: Config,
  ) {
    this.rate = limits.make('bot', config.BOT_RATE_LIMIT);
    this.typingRate = limits.make('bot_typing', config.BOT_RATE_LIMIT);
  }

  async canActivate(route: ExecutionContext): Promise<boolean> {
    const http = route.switchToHttp();
    const request = http.getRequest<RequestOfBot>();
    const text = bearerToken(request.headers.authorization);
    if (text === null) throw unauthorized();
    const token = this.tokens.parse(text);
    if (token) await this.spend(route, token.key, http.getResponse<Response>());
    const bot = token && (await this.tokens.authenticate(token));
    if (!bot) return this.wrong.reject(addressOf(request));
    markAuthenticated(request);
    checkScope(bot, this.scopeOf(route, request.method));
    request.bot = bot;
    this.metrics.onToken(token.key, bot.botId);
    trustConnection(request);
    const context = contextOf(request, bot.organizationId, { type: 'BOT', id: bot.botId, name: bot.name });
    request.context = { ...context, onlyOwnChats: bot.onlyOwnChats, isAi: bot.isAi };
    return true;
  }

  private scopeOf(context: ExecutionContext, method: string): Scope | null {
    const named = this.reflector.get(NeedsScope, context.getHandler());
    if (named !== undefined) return named === 'none' ? null : named;
    return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
  }

  private async spend(route: ExecutionContext, key: string, response: Response): Promise<void> {
    try {
      await spendAndReport(this.rateOf(route), key, response);
    } catch (error) {
      this.metrics.onLimited(key);
      throw error;
    }
  }

  private rateOf(context: ExecutionContext): Limit {
    return this.reflector.get(OwnRate, context.getHandler()) ? this.typingRate : this.rate;
  }
}

function checkScope({ scopes }: BotIdentity, needed: Scope | null): void {
  if (needed === null || hasScope(scopes, needed)) return;
  throw new Problem(
    'forbidden',
    `This token doesn't have the scope ${needed}; it has ${(scopes ?? UNNAMED_SCOPES).join(', ')}`,
  );
}
