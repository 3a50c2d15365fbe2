import { Body, Controller, Headers, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { SessionRateGuard } from '../../auth/limits/visitor-limits.js';
import { isAllowed } from '../../auth/visitors/visitor-auth.service.js';
import { VisitorLinks } from '../../mail/model/visitor-links.service.js';
import { JsonBodyGuard } from '../../platform/http/requests/json-body.guard.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { BODY, Describes } from '../describes.js';
import { ContinueService } from './continue.service.js';
import { VisitorLinkDto, VisitorLinkResponse } from './link.dto.js';
import { VisitorSessionResponse } from './visitors.dto.js';

/** Links to continue a chat (CONTRACT: E-mail). */
@Controller('api/visitor/link')
@ApiTags('Sessions')
@ApiProblems('rate_limited', 'internal_error', 'unavailable')
export class VisitorLinkController {
  constructor(
    private readonly links: VisitorLinks,
    private readonly continuing: ContinueService,
  ) {}

  @Post()
  @HttpCode(200)
  @Describes('readVisitorLink', 200, VisitorLinkResponse, {
    summary: 'Read where a link leads',
    description: 'Changes nothing. A link that ended or expired is 404.',
    problems: [...BODY, 'not_found'],
    isOpen: true,
  })
  @UseGuards(SessionRateGuard, JsonBodyGuard)
  async read(@Body() { token }: VisitorLinkDto, @Headers('origin') origin?: string): Promise<VisitorLinkResponse> {
    const { organizationName, widgetKey, allowedOrigins, visitorName, startedAt } = await this.links.get(token);
    return {
      organization: { name: organizationName, widgetKey },
      visitor: { name: visitorName },
      startedAt,
      canContinue: isAllowed(allowedOrigins, origin),
    };
  }

  @Post('continue')
  @HttpCode(200)
  @Describes('continueVisitorLink', 200, VisitorSessionResponse, {
    summary: 'Continue the chat on this device',
    description: 'Verifies the address that the link was mailed to, and ends the link.',
    problems: [...BODY, 'not_found', 'blocked'],
    isOpen: true,
  })
  @UseGuards(SessionRateGuard, JsonBodyGuard)
  continue(@Body() { token }: VisitorLinkDto): Promise<VisitorSessionResponse> {
    return this.continuing.continue(token);
  }

  @Post('not-me')
  @HttpCode(204)
  @Describes('rejectVisitorLink', 204, null, {
    summary: 'Say that the link is for someone else',
    description: 'Removes the address from the visitor, and ends the link.',
    problems: [...BODY, 'not_found'],
    isOpen: true,
  })
  @UseGuards(SessionRateGuard, JsonBodyGuard)
  reject(@Body() { token }: VisitorLinkDto): Promise<void> {
    return this.links.reject(token);
  }
}
