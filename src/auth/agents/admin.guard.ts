import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { Config } from '../../platform/config/config.js';
import { markAuthenticated } from '../../platform/http/responses/access-log.js';
import { bearerToken } from '../../platform/http/requests/bearer.js';
import { notFound, Problem } from '../../platform/errors/problem.js';
import { addressOf } from '../limits/address.js';
import { AgentAuthService } from './agent-auth.service.js';
import { trustConnection } from '../limits/connections-by-address.js';
import type { Actor } from '../context/request-context.js';
import { OperatorsService } from '../operators/operators.service.js';
import { WrongTokens } from '../limits/wrong-tokens.js';

export type AdminRequest = Request & { admin: Actor };

/** A route that requires ADMIN_TOKEN or an operator's token, because an administrator's session belongs to one organization. */
export const RequireAdminToken = Reflector.createDecorator<void, true>({ transform: () => true });

/** A route that requires ADMIN_TOKEN itself, so that a stolen token of an operator can't make others. */
export const RequireRootToken = Reflector.createDecorator<void, true>({ transform: () => true });

/**
 * Requires ADMIN_TOKEN, an operator's token, or, for the routes of an organization, the session of one of its agents with the role ADMIN
 * (CONTRACT: Signing in). Reads the role on every request. Responses aren't cached.
 */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(
    private readonly config: Config,
    private readonly wrong: WrongTokens,
    private readonly agents: AgentAuthService,
    private readonly operators: OperatorsService,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AdminRequest>();
    const isSession = this.agents.hasSession(request);
    context.switchToHttp().getResponse<Response>().setHeader('Cache-Control', 'no-store');
    request.admin = isSession ? await this.checkSession(request, context) : await this.checkToken(request, context);
    return true;
  }

  private async checkToken(request: Request, context: ExecutionContext): Promise<Actor> {
    const text = bearerToken(request.headers.authorization);
    const operator = text === null ? null : await this.operators.authenticate(text);
    if (!operator) await this.wrong.compare(addressOf(request), text, this.config.ADMIN_TOKEN);
    markAuthenticated(request);
    trustConnection(request);
    if (operator && this.reflector.get(RequireRootToken, context.getHandler()))
      throw new Problem('forbidden', "This request requires ADMIN_TOKEN itself, not an operator's token");
    return operator ?? { type: 'ADMIN', id: null, name: null };
  }

  private async checkSession(request: Request, context: ExecutionContext): Promise<Actor> {
    const { organizationId, agentId, role, name } = await this.agents.authenticate(request);
    if (role !== 'ADMIN') throw new Problem('forbidden', 'This request requires the role ADMIN');
    const asked = request.params.organizationId;
    if (asked !== undefined && asked !== organizationId) notFound('Organization');
    const needs = [RequireAdminToken, RequireRootToken].some((one) => this.reflector.get(one, context.getHandler()));
    if (needs) throw new Problem('forbidden', 'This request requires ADMIN_TOKEN');
    return { type: 'ADMIN', id: agentId, name };
  }
}
