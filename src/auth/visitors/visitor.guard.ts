import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { addressOf } from '../limits/address.js';
import { bearerToken } from '../../platform/http/requests/bearer.js';
import { contextOf, type RequestWithContext } from '../context/request-context.js';
import { VisitorAuthService, type VisitorIdentity } from './visitor-auth.service.js';

type VisitorRequest = RequestWithContext & { visitor: VisitorIdentity };

/** Requires a visitor's token from an allowed origin, within the visitor's rate. */
@Injectable()
export class VisitorGuard implements CanActivate {
  protected readonly mayBeBlocked: boolean = false;

  constructor(private readonly auth: VisitorAuthService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<VisitorRequest>();
    const { authorization, origin } = request.headers;
    const token = bearerToken(authorization);
    const visitor = await this.auth.authenticate(token, origin, addressOf(request), this.mayBeBlocked);
    request.visitor = visitor;
    request.context = contextOf(request, visitor.organizationId, {
      type: 'VISITOR',
      id: visitor.visitorId,
      name: null,
    });
    return true;
  }
}

/** The same for signing out, which blocked visitors may do: a token that stayed valid could be used by someone else when the block ends. */
@Injectable()
export class SignOutGuard extends VisitorGuard {
  protected override readonly mayBeBlocked = true;
}

/** The visitor that sent the request. */
export const CurrentVisitor = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<VisitorRequest>().visitor,
);
