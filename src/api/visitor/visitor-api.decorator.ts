import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { VisitorGuard } from '../../auth/visitors/visitor.guard.js';
import { TokenBodyGuard } from '../../platform/http/requests/json-body.guard.js';

/** A controller under `/api/visitor` that requires a session and authenticates before it reads the body. */
export function VisitorApi(path: string): ClassDecorator {
  return applyDecorators(Controller(`api/visitor/${path}`), UseGuards(VisitorGuard, TokenBodyGuard));
}
