import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { isAtLeast, type Role } from '../../agents/role.js';
import { Problem } from '../../platform/errors/problem.js';
import { AgentAuthService } from './agent-auth.service.js';
import type { AgentIdentity } from './agent-sessions.queries.js';
import { contextOf, type RequestWithContext } from '../context/request-context.js';

export type AgentRequest = RequestWithContext & { agent: AgentIdentity };

/** The role that a route or a controller requires. Without it, every agent may call. */
export const RequireRole = Reflector.createDecorator<Role>();

/** Requires an agent's session, within the session's rate, and the route's role. Responses aren't cached. */
@Injectable()
export class AgentGuard implements CanActivate {
  constructor(
    private readonly auth: AgentAuthService,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AgentRequest>();
    const agent = await this.auth.authenticate(request);
    const role = this.reflector.getAllAndOverride(RequireRole, [context.getHandler(), context.getClass()]);
    if (role && !isAtLeast(agent.role, role)) throw new Problem('forbidden', `This request requires the role ${role}`);
    request.agent = agent;
    context.switchToHttp().getResponse<Response>().setHeader('Cache-Control', 'no-store');
    request.context = contextOf(request, agent.organizationId, { type: 'AGENT', id: agent.agentId, name: agent.name });
    return true;
  }
}

/** The agent who sent the request. */
export const CurrentAgent = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<AgentRequest>().agent,
);
