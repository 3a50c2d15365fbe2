import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { VisitorGuard } from '../../auth/visitors/visitor.guard.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { TokenBodyGuard } from '../../platform/http/requests/json-body.guard.js';

/**
 * A controller under `/api/visitor` that requires a session and authenticates before it reads the body.
 * @param tag its section in the documentation
 */
export function VisitorApi(path: string, tag: string): ClassDecorator {
  return applyDecorators(
    Controller(`api/visitor/${path}`),
    UseGuards(VisitorGuard, TokenBodyGuard),
    ApiTags(tag),
    ApiBearerAuth('visitorToken'),
    ApiProblems('unauthorized', 'forbidden', 'rate_limited', 'internal_error', 'unavailable'),
  );
}
