import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { SignInThrottle } from './sign-in-throttle.js';

/** Refuses sign-ins from an address with too many failures, before the body is read. */
@Injectable()
export class SignInGuard implements CanActivate {
  constructor(private readonly throttle: SignInThrottle) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.throttle.checkAddress(context.switchToHttp().getRequest<Request>().ip ?? '');
    return true;
  }
}
