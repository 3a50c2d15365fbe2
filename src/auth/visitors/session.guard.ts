import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { addressOf } from '../limits/address.js';
import { bearerToken } from '../../platform/http/requests/bearer.js';
import { VisitorAuthService, type VisitorIdentity } from './visitor-auth.service.js';

type SessionRequest = Request & { session: VisitorIdentity | null };

/** Requires that a session is valid if one is sent, so that a failed renewal never creates another visitor. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(private readonly auth: VisitorAuthService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<SessionRequest>();
    const { authorization, origin } = request.headers;
    const authenticate = () => this.auth.authenticate(bearerToken(authorization), origin, addressOf(request));
    request.session = authorization === undefined ? null : await authenticate();
    return true;
  }
}

/** The session to renew; null without one. */
export const RenewedSession = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<SessionRequest>().session,
);
