import {
  applyDecorators,
  type CanActivate,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import type { Request } from 'express';
import { addressOf } from '../auth/address.js';
import { bearerToken } from '../auth/bearer.js';
import { JsonBodyGuard } from '../common/json-body.guard.js';
import { VisitorAuthService, type VisitorIdentity } from './visitor-auth.service.js';

type VisitorRequest = Request & { visitor: VisitorIdentity };

/** Lets in who carries a visitor's token, from an origin that may, within the visitor's rate. */
@Injectable()
export class VisitorGuard implements CanActivate {
  constructor(private readonly auth: VisitorAuthService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<VisitorRequest>();
    const { authorization, origin } = request.headers;
    request.visitor = await this.auth.authenticate(bearerToken(authorization), origin, addressOf(request));
    return true;
  }
}

/** A controller under `/api/visitor` for who has a session: first who calls, then the body. */
export function VisitorApi(path: string): ClassDecorator {
  return applyDecorators(Controller(`api/visitor/${path}`), UseGuards(VisitorGuard, JsonBodyGuard));
}

/** The visitor that calls. */
export const CallingVisitor = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<VisitorRequest>().visitor,
);
