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
import { PROBLEMS, type ProblemCode, problemType } from '../../errors/problem-codes.js';

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

/** An id with the name that belongs to it. */
export class NamedResponse {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  name!: string;
}

/** The body of every error (RFC 9457). */
class ProblemResponse {
  @ApiProperty({
    format: 'uri-reference',
    description: 'The page that explains the code',
    example: problemType('validation_failed', 'https://chat.example'),
  })
  type!: string;

  @ApiProperty({ description: 'What the code means, in a few words', example: PROBLEMS.validation_failed.title })
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

  @ApiPropertyOptional({
    enum: ['BOT', 'QUEUE', 'AGENT', 'NOBODY'],
    description: 'Who has the chat, when that is why the request was refused',
  })
  owner?: string;

  @ApiPropertyOptional({ type: () => NamedResponse, nullable: true, description: 'The agent who has the chat' })
  assignedTo?: NamedResponse | null;

  @ApiPropertyOptional({
    type: () => NamedResponse,
    nullable: true,
    description: 'Of `offered`: the agent who was asked',
  })
  offeredTo?: NamedResponse | null;

  @ApiPropertyOptional({ format: 'date-time', description: 'Of `offered`: when the offer expires' })
  expiresAt?: string;

  @ApiPropertyOptional({ description: 'Of `offer_ended`: why it ended' })
  reason?: string;

  @ApiPropertyOptional({ type: 'integer', description: "Of `precondition_failed` of a bot's state: its version" })
  version?: number;

  @ApiPropertyOptional({ enum: ['AVAILABLE', 'BUSY', 'OFFLINE'], description: 'Of `nobody_available`' })
  availability?: string;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Of `nobody_available`: when the group opens; null while it is open, and if it never opens',
  })
  nextOpening?: string | null;

  @ApiPropertyOptional({
    type: () => [NamedResponse],
    description: 'Of `organization_required`: where the password is right',
  })
  organizations?: NamedResponse[];
}

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' as const } },
};
const HEADERS: Record<number, ApiResponseOptions['headers']> = {
  401: { 'WWW-Authenticate': { description: '`Bearer`', schema: { type: 'string' as const } } },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};

/** Documents the problems that a route may answer, as one response per status. */
export function ApiProblems(...codes: ProblemCode[]): MethodDecorator & ClassDecorator {
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code].status))];
  const responses = statuses.map((status) =>
    ApiResponse({
      status,
      ...responseOf(
        status,
        codes.filter((code) => PROBLEMS[code].status === status),
      ),
    }),
  );
  return applyDecorators(ApiExtraModels(ProblemResponse), ...responses);
}

function responseOf(status: number, codes: readonly ProblemCode[]) {
  return {
    description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
    content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemResponse) } } },
    headers: HEADERS[status],
  };
}

/** The answer to an address that cannot be decoded, as `/%ff`. */
export const malformedPath = () => responseOf(400, ['validation_failed']);
