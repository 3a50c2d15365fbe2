import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Config } from '../common/config.js';
import { isSameSecret } from '../common/secrets.js';
import { addressOf } from './address.js';
import { bearerToken, unauthorized } from './bearer.js';
import { WrongTokens } from './wrong-tokens.js';

/** Lets in who knows ADMIN_TOKEN; an address that guessed too often is refused before its guess is looked at. */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(
    private readonly config: Config,
    private readonly wrong: WrongTokens,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const token = bearerToken(request.headers.authorization);
    if (token === null) throw unauthorized();
    await this.wrong.check(addressOf(request));
    if (isSameSecret(token, this.config.ADMIN_TOKEN)) return true;
    this.wrong.note(addressOf(request));
    throw unauthorized();
  }
}
