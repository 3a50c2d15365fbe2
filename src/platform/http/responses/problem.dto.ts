import { applyDecorators } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiProperty,
  ApiPropertyOptional,
  ApiResponse,
  type ApiResponseOptions,
  getSchemaPath,
} from '@nestjs/swagger';
import { STATUS_CODES } from 'node:http';
import { PROBLEMS, type ProblemCode } from '../../errors/problem.js';

class FieldErrorResponse {
  @ApiPropertyOptional({
    description: 'A JSON Pointer into the body, `?name` for a query field, a header by its name',
    example: '/content',
  })
  pointer?: string;

  @ApiPropertyOptional({
    description: 'In place of `pointer`: a query field whose form is right and whose value is not',
  })
  parameter?: string;

  @ApiProperty({ example: 'must have 1 to 5000 characters' })
  detail!: string;
}

/** The body of every error (RFC 9457). */
class ProblemResponse {
  @ApiProperty({ example: 'about:blank' })
  type!: string;

  @ApiProperty({ example: 'Bad Request' })
  title!: string;

  @ApiProperty({ type: 'integer', example: 400 })
  status!: number;

  @ApiProperty({ example: 'content must have 1 to 5000 characters' })
  detail!: string;

  @ApiProperty({ enum: Object.keys(PROBLEMS), example: 'validation_failed' })
  code!: string;

  @ApiProperty({ description: 'The same as the header X-Request-Id' })
  requestId!: string;

  @ApiPropertyOptional({ type: () => [FieldErrorResponse], description: 'One entry per offending field' })
  errors?: FieldErrorResponse[];

  @ApiPropertyOptional({ description: 'Of a refusal because of who has the chat: `BOT`, `QUEUE`, `AGENT` or `NOBODY`' })
  owner?: string;
}

/** Documents the problems that a route may answer, as one response per status. */
export function ApiProblems(...codes: ProblemCode[]): MethodDecorator & ClassDecorator {
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code]))];
  const responses = statuses.map((status) => {
    const group = codes.filter((code) => PROBLEMS[code] === status);
    return ApiResponse({
      status,
      description: `${STATUS_CODES[status]}: ${group.map((code) => `\`${code}\``).join(', ')}`,
      content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemResponse) } } },
      headers: HEADERS[status],
    });
  });
  return applyDecorators(ApiExtraModels(ProblemResponse), ...responses);
}

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' as const } },
};
const HEADERS: Record<number, ApiResponseOptions['headers']> = {
  401: { 'WWW-Authenticate': { description: '`Bearer`', schema: { type: 'string' as const } } },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};
