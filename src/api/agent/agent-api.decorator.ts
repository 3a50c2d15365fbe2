import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { AgentGuard } from '../../auth/agent.guard.js';
import { JsonBodyGuard } from '../../platform/http/json-body.guard.js';

/** A controller under `/api/agent` that requires an agent's session and authenticates before it reads the body. */
export function AgentApi(path: string): ClassDecorator {
  return applyDecorators(Controller(`api/agent${path}`), UseGuards(AgentGuard, JsonBodyGuard));
}
