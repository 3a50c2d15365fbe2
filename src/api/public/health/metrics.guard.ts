import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { addressOf } from '../../../auth/limits/address.js';
import { markAuthenticated } from '../../../platform/http/responses/access-log.js';
import { bearerToken } from '../../../platform/http/requests/bearer.js';
import { WrongTokens } from '../../../auth/limits/wrong-tokens.js';
import { Config } from '../../../platform/config/config.js';
import { Problem } from '../../../platform/errors/problem.js';
import { isSameMachine } from './same-machine.js';

/** Requires METRICS_TOKEN; without one configured, requires a request from this machine, through no proxy. */
@Injectable()
export class MetricsGuard implements CanActivate {
  constructor(
    private readonly config: Config,
    private readonly wrong: WrongTokens,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { METRICS_TOKEN } = this.config;
    const request = context.switchToHttp().getRequest<Request>();
    if (METRICS_TOKEN === undefined) return isSameMachine(request) || forbid();
    await this.wrong.compare(addressOf(request), bearerToken(request.headers.authorization), METRICS_TOKEN);
    markAuthenticated(request);
    return true;
  }
}

function forbid(): never {
  throw new Problem('forbidden', 'Metrics are served to other machines only when METRICS_TOKEN is set');
}
