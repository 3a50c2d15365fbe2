import { applyDecorators, Controller, type Type, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { AdminGuard } from '../../auth/agents/admin.guard.js';
import { TokenBodyGuard } from '../../platform/http/requests/json-body.guard.js';
import type { ProblemCode } from '../../platform/errors/problem.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { ETAG_HEADER, Versioned } from '../versioned.js';

/**
 * A controller under `/api/admin/organizations`.
 * @param tag its section in the documentation
 */
export function AdminApi(path: string, tag: string): ClassDecorator {
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name!);
  return applyDecorators(
    Controller(`api/admin/organizations${path}`),
    UseGuards(AdminGuard, TokenBodyGuard),
    ApiTags(tag),
    ApiBearerAuth('adminToken'),
    ...names.map((name) => ApiParam({ name, type: String })),
    ApiProblems('unauthorized', 'forbidden', 'rate_limited', 'internal_error', 'unavailable'),
  );
}

/** The problems of a request with a body. */
export const BODY: readonly ProblemCode[] = [
  'validation_failed',
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
];

interface Route {
  summary: string;
  /** The problems beside those of every route. */
  problems?: readonly ProblemCode[];
  /** Whether the answer is one resource that can be changed, and so has its version in `ETag`. */
  isVersioned?: boolean;
}

/**
 * Documents a route of the admin API.
 * @param operationId its name in clients that are generated
 * @param answer the class of the body; null: none
 */
export function Describes(
  operationId: string,
  status: 200 | 201 | 202 | 204,
  answer: Type | null,
  { summary, problems = ['not_found'], isVersioned = false }: Route,
): MethodDecorator {
  return applyDecorators(
    ApiOperation({ operationId, summary }),
    ApiResponse({
      status,
      ...(answer && { type: answer }),
      ...(isVersioned && { headers: ETAG_HEADER }),
      description: '',
    }),
    ...(isVersioned ? [Versioned()] : []),
    ApiProblems(...problems),
  );
}
