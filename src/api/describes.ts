import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOperation,
  ApiResponse,
  type ApiResponseNoStatusOptions,
  getSchemaPath,
} from '@nestjs/swagger';
import type { ProblemCode } from '../platform/errors/problem-codes.js';
import { ApiProblems } from '../platform/http/responses/problem.dto.js';
import { ETAG_HEADER, Versioned, type VersionedPart } from './versioned.js';

/** The problems of a request with a body. */
export const BODY: readonly ProblemCode[] = [
  'validation_failed',
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
];

export interface Route {
  summary: string;
  description: string;
  /** The problems of this route, in addition to the problems of every route of the audience. */
  problems?: readonly ProblemCode[];
  /** Whether the answer is one resource that can be changed, and so has its version in `ETag`. */
  isVersioned?: boolean;
  /** What the version is derived from, if not from the whole answer. */
  versioned?: VersionedPart;
  headers?: ApiResponseNoStatusOptions['headers'];
  /** Whether it may be called without a token. */
  isOpen?: boolean;
}

/**
 * Documents a route.
 * @param operationId its name in generated clients
 * @param answer the class of the body, or several for a body of one of them; null: no body
 */
export function Describes(
  operationId: string,
  status: 200 | 201 | 202 | 204,
  answer: Type | readonly Type[] | null,
  { summary, description, problems = ['not_found'], isVersioned = false, versioned, headers, isOpen = false }: Route,
): MethodDecorator {
  return applyDecorators(
    ApiOperation({ operationId, summary, description, ...(isOpen && { security: [] }) }),
    ApiResponse({
      status,
      description: '',
      ...bodyOf(answer),
      headers: { ...(isVersioned && ETAG_HEADER), ...headers },
    }),
    ...(Array.isArray(answer) ? [ApiExtraModels(...(answer as Type[]))] : []),
    ...(isVersioned ? [Versioned(versioned)] : []),
    ApiProblems(...problems),
  );
}

function bodyOf(answer: Type | readonly Type[] | null) {
  if (answer === null) return {};
  if (!Array.isArray(answer)) return { type: answer as Type };
  return { schema: { oneOf: (answer as Type[]).map((type) => ({ $ref: getSchemaPath(type) })) } };
}
