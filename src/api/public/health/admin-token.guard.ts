import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { addressOf } from '../../../auth/limits/address.js';
import { WrongTokens } from '../../../auth/limits/wrong-tokens.js';
import { Config } from '../../../platform/config/config.js';
import { bearerToken } from '../../../platform/http/requests/bearer.js';
import { markAuthenticated } from '../../../platform/http/responses/access-log.js';

/** Requires ADMIN_TOKEN, and reads nothing from the database. */
@Injectable()
export class AdminTokenGuard implements CanActivate {
  constructor(
    private readonly config: Config,
    private readonly wrong: WrongTokens,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    await this.wrong.compare(addressOf(request), bearerToken(request.headers.authorization), this.config.ADMIN_TOKEN);
    markAuthenticated(request);
    return true;
  }
}
