import {
  applyDecorators,
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { etagOf, hasVersion, Precondition } from '../platform/http/responses/etag.js';
import { ApiProblems } from '../platform/http/responses/problem.dto.js';

/** What the version of a response is derived from. */
export type VersionedPart = (response: never) => object;

/** Answers the version of a resource beside it: `ETag` (CONTRACT: Versions). */
@Injectable()
class EtagInterceptor implements NestInterceptor {
  constructor(private readonly versioned: VersionedPart) {}

  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<object> {
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map((resource) => {
        response.setHeader('ETag', etagOf(this.versioned(resource as never)));
        return resource;
      }),
    );
  }
}

/** How the header is documented. */
export const ETAG_HEADER = {
  ETag: { description: 'The version, for `If-Match`', schema: { type: 'string' as const } },
};

/** A route that answers one resource with its version, derived from all or a part of it. */
export const Versioned = (versioned: VersionedPart = (resource: object) => resource): MethodDecorator =>
  applyDecorators(UseInterceptors(new EtagInterceptor(versioned)));

/** Answers 304 without a body to a client that has the response already. */
@Injectable()
class UnchangedInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<object | undefined> {
    const http = context.switchToHttp();
    const response = http.getResponse<Response>();
    const known = http.getRequest<Request>().headers['if-none-match'];
    return next.handle().pipe(
      map((resource) => {
        const etag = etagOf(resource);
        response.setHeader('ETag', etag);
        if (!hasVersion(known, etag)) return resource;
        response.status(304);
        return undefined;
      }),
    );
  }
}

/** A route that clients read again and again: it answers 304 while the response is the same. */
export const Rereadable = (): MethodDecorator =>
  applyDecorators(
    UseInterceptors(UnchangedInterceptor),
    ApiHeader({ name: 'If-None-Match', required: false, description: 'The `ETag` of an earlier response' }),
    ApiResponse({ status: 304, description: 'Nothing changed since that response', headers: ETAG_HEADER }),
  );

const readHeader = createParamDecorator((_: unknown, context: ExecutionContext) =>
  Precondition.read(context.switchToHttp().getRequest<Request>().headers['if-match']),
);

/** The version that a change asks for, null when it asks for none. @throws Problem validation_failed (CONTRACT: Versions) */
export const IfMatch = (): ParameterDecorator => (target, key, index) => {
  readHeader()(target, key, index);
  const description = 'The `ETag` of the version to change, several, or `*`; another version is 412';
  const documented = applyDecorators(
    ApiHeader({ name: 'If-Match', required: false, description, schema: { type: 'string' } }),
    ApiProblems('precondition_failed'),
  );
  documented(target, key!, Object.getOwnPropertyDescriptor(target, key!)!);
};
