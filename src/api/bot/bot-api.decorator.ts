import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { BotGuard } from '../../auth/bots/bot.guard.js';
import { FieldNamesGuard } from '../../platform/http/requests/field-names.guard.js';
import { TokenBodyGuard } from '../../platform/http/requests/json-body.guard.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';

/** A controller under `/api/bot`, which authenticates before it reads the body. */
export function BotApi(path: string, tag: string): ClassDecorator {
  return applyDecorators(
    Controller(`api/bot/${path}`),
    UseGuards(BotGuard, TokenBodyGuard, FieldNamesGuard),
    ApiTags(tag),
    ApiBearerAuth('accessToken'),
    ApiProblems('unauthorized', 'forbidden', 'rate_limited', 'internal_error', 'unavailable'),
  );
}
