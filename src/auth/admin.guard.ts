import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Config } from '../common/config.js';
import { isSameSecret } from '../common/secrets.js';
import { bearerToken, unauthorized } from './bearer.js';

/** Lets in who knows ADMIN_TOKEN. */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(private readonly config: Config) {}

  canActivate(context: ExecutionContext): boolean {
    const { authorization } = context.switchToHttp().getRequest<Request>().headers;
    const token = bearerToken(authorization);
    if (!token || !isSameSecret(token, this.config.ADMIN_TOKEN)) throw unauthorized();
    return true;
  }
}
