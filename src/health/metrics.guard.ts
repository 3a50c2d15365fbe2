import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { bearerToken, unauthorized } from '../auth/bearer.js';
import { Config } from '../common/config.js';
import { isSameSecret } from '../common/secrets.js';

/** Lets in who knows METRICS_TOKEN; everybody when there is none. */
@Injectable()
export class MetricsGuard implements CanActivate {
  constructor(private readonly config: Config) {}

  canActivate(context: ExecutionContext): boolean {
    const { METRICS_TOKEN } = this.config;
    if (METRICS_TOKEN === undefined) return true;
    const token = bearerToken(context.switchToHttp().getRequest<Request>().headers.authorization);
    if (!token || !isSameSecret(token, METRICS_TOKEN)) throw unauthorized();
    return true;
  }
}
