import {
  applyDecorators,
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { etagOf, Precondition } from '../platform/http/responses/etag.js';
import { ApiProblems } from '../platform/http/responses/problem.dto.js';

/** Answers the version of a resource beside it: `ETag` (CONTRACT section 5). */
@Injectable()
class EtagInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<object> {
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map((resource) => {
        response.setHeader('ETag', etagOf(resource));
        return resource;
      }),
    );
  }
}

/** How the header is documented. */
export const ETAG_HEADER = {
  ETag: { description: 'The version, for `If-Match`', schema: { type: 'string' as const } },
};

/** A route that answers one resource with its version. */
export const Versioned = (): MethodDecorator => applyDecorators(UseInterceptors(EtagInterceptor));

const readHeader = createParamDecorator((_: unknown, context: ExecutionContext) =>
  Precondition.read(context.switchToHttp().getRequest<Request>().headers['if-match']),
);

/** The version that a change asks for, null when it asks for none. @throws Problem validation_failed (CONTRACT section 5) */
export const IfMatch = (): ParameterDecorator => (target, key, index) => {
  readHeader()(target, key, index);
  const description = 'The `ETag` of the version to change, several, or `*`; another version is 412';
  const documented = applyDecorators(
    ApiHeader({ name: 'If-Match', required: false, description, schema: { type: 'string' } }),
    ApiProblems('precondition_failed'),
  );
  documented(target, key!, Object.getOwnPropertyDescriptor(target, key!)!);
};
