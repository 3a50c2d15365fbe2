import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { AdminGuard } from '../../auth/admin.guard.js';
import { JsonBodyGuard } from '../../platform/http/json-body.guard.js';

/** A controller under `/api/admin/organizations`. */
export function AdminApi(path = ''): ClassDecorator {
  return applyDecorators(Controller(`api/admin/organizations${path}`), UseGuards(AdminGuard, JsonBodyGuard));
}
