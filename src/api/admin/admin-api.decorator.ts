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
  return applyDecorators(InstallationApi(`organizations${path}`, tag), ApiCookieAuth('adminCookie'));
}

/**
 * A controller under `/api/admin` whose routes belong to no organization, so that each requires ADMIN_TOKEN or an operator's token.
 * @param tag its section in the documentation
 */
export function InstallationApi(path: string, tag: string): ClassDecorator {
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name!);
  return applyDecorators(
    Controller(`api/admin/${path}`),
    UseGuards(AdminGuard, TokenBodyGuard, FieldNamesGuard),
    ApiTags(tag),
    ApiBearerAuth('adminToken'),
    ...names.map((name) => ApiParam({ name, type: String })),
    ApiProblems('unauthorized', 'forbidden', 'rate_limited', 'internal_error', 'unavailable'),
  );
}
