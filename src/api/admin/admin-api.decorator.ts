import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth, ApiParam, ApiTags } from '@nestjs/swagger';
import { AdminGuard } from '../../auth/agents/admin.guard.js';
import { FieldNamesGuard } from '../../platform/http/requests/field-names.guard.js';
import { TokenBodyGuard } from '../../platform/http/requests/json-body.guard.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';

/**
 * A controller under `/api/admin/organizations`.
 * @param tag its section in the documentation
 */
export function AdminApi(path: string, tag: string): ClassDecorator {
  return AdminApiOf(`/organizations${path}`, tag);
}

/** A controller under `/api/admin`, about all organizations. Its routes need `RequireAdminToken`. */
export function InstallationApi(path: string): ClassDecorator {
  return AdminApiOf(path, 'Installation');
}

function AdminApiOf(path: string, tag: string): ClassDecorator {
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name!);
  return applyDecorators(
    Controller(`api/admin${path}`),
    UseGuards(AdminGuard, TokenBodyGuard, FieldNamesGuard),
    ApiTags(tag),
    ApiBearerAuth('adminToken'),
    ApiCookieAuth('adminCookie'),
    ...names.map((name) => ApiParam({ name, type: String })),
    ApiProblems('unauthorized', 'forbidden', 'rate_limited', 'internal_error', 'unavailable'),
  );
}
