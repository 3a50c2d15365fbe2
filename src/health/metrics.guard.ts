import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { bearerToken, unauthorized } from '../auth/bearer.js';
import { Config } from '../common/config.js';
import { Problem } from '../common/problem.js';
import { isSameSecret } from '../common/secrets.js';
import { isSameMachine } from './same-machine.js';

/** Lets in who knows METRICS_TOKEN; when there is none, who asks from this machine and through no proxy. */
@Injectable()
export class MetricsGuard implements CanActivate {
  constructor(private readonly config: Config) {}

  canActivate(context: ExecutionContext): boolean {
    const { METRICS_TOKEN } = this.config;
    const request = context.switchToHttp().getRequest<Request>();
    if (METRICS_TOKEN === undefined) return isSameMachine(request) || forbid();
    const token = bearerToken(request.headers.authorization);
    if (!token || !isSameSecret(token, METRICS_TOKEN)) throw unauthorized();
    return true;
  }
}

function forbid(): never {
  throw new Problem(
    'forbidden',
    'Set METRICS_TOKEN to read the metrics from elsewhere than the machine of the service',
  );
}
