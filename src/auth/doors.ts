import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { JsonBodyGuard } from '../common/json-body.guard.js';
import { ApiProblems } from '../common/problem.dto.js';
import { AdminGuard } from './admin.guard.js';
import { BotGuard } from './bot.guard.js';

/** A controller under `/api/bot`: first who calls, then the body. */
export function BotApi(path: string, tag: string): ClassDecorator {
  return applyDecorators(
    Controller(`api/bot/${path}`),
    UseGuards(BotGuard, JsonBodyGuard),
    ApiTags(tag),
    ApiBearerAuth('accessToken'),
    ApiProblems('unauthorized', 'rate_limited', 'internal_error', 'unavailable'),
  );
}

/** A controller under `/api/admin/organizations`. */
export function AdminApi(path = ''): ClassDecorator {
  return applyDecorators(Controller(`api/admin/organizations${path}`), UseGuards(AdminGuard, JsonBodyGuard));
}
