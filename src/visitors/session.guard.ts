import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { bearerToken } from '../auth/bearer.js';
import { type VisitorClaims, VisitorTokensService } from '../auth/visitor-tokens.service.js';

type SessionRequest = Request & { claims: VisitorClaims | null };

/** Whoever says that they have a session must have one: a broken renewal never becomes another visitor. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(private readonly tokens: VisitorTokensService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<SessionRequest>();
    const { authorization } = request.headers;
    request.claims = authorization === undefined ? null : await this.tokens.verify(bearerToken(authorization));
    return true;
  }
}

/** The session to renew, null for who has none yet. */
export const RenewedSession = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<SessionRequest>().claims,
);
