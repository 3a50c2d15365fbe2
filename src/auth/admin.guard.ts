import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Config } from '../platform/config/config.js';
import { addressOf } from './address.js';
import { bearerToken } from '../platform/http/bearer.js';
import { WrongTokens } from './wrong-tokens.js';

/** Requires ADMIN_TOKEN. */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(
    private readonly config: Config,
    private readonly wrong: WrongTokens,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    await this.wrong.compare(addressOf(request), bearerToken(request.headers.authorization), this.config.ADMIN_TOKEN);
    return true;
  }
}
