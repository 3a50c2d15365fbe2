import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth, ApiTags } from '@nestjs/swagger';
import { AgentGuard } from '../../auth/agents/agent.guard.js';
import { TokenBodyGuard } from '../../platform/http/requests/json-body.guard.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';

/**
 * A controller under `/api/agent`. It requires an agent's session, and authenticates before it reads the body.
 * @param tag its section in the API reference
 */
export function AgentApi(path: string, tag = 'Session'): ClassDecorator {
  return applyDecorators(
    Controller(`api/agent${path}`),
    UseGuards(AgentGuard, TokenBodyGuard),
    ApiTags(tag),
    ApiBearerAuth('agentSession'),
    ApiCookieAuth('agentCookie'),
    ApiProblems('unauthorized', 'forbidden', 'rate_limited', 'internal_error', 'unavailable'),
  );
}
