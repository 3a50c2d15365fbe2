import { Body, Controller, Delete, Headers, HttpCode, Post, UseGuards } from '@nestjs/common';
import { Address } from '../../auth/limits/address.js';
import { JsonBodyGuard } from '../../platform/http/requests/json-body.guard.js';
import { EndedTokensService } from '../../auth/visitors/ended-tokens.service.js';
import { RenewedSession, SessionGuard } from '../../auth/visitors/session.guard.js';
import { SessionsService } from './sessions.service.js';
import type { VisitorIdentity } from '../../auth/visitors/visitor-auth.service.js';
import { SessionRateGuard } from '../../auth/limits/visitor-limits.js';
import { CurrentVisitor, SignOutGuard } from '../../auth/visitors/visitor.guard.js';
import { ApiBearerAuth, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { BODY, Describes } from '../describes.js';
import { CreateSessionDto, VisitorSessionResponse } from './visitors.dto.js';

/** Visitors' sessions. Any client with the public widget key may start one. */
@Controller('api/visitor/sessions')
@ApiTags('Sessions')
@ApiProblems('unauthorized', 'forbidden', 'rate_limited', 'internal_error', 'unavailable')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly ended: EndedTokensService,
  ) {}

  @Post()
  @ApiSecurity({})
  @ApiBearerAuth('visitorToken')
  @Describes('createSession', 201, VisitorSessionResponse, {
    summary: 'Start or renew a session',
    description:
      'Without a token, a new visitor. With the token of a session, a new token for the same visitor. With `identity`, ' +
      'the person whom your server signed.',
    problems: [...BODY, 'not_found', 'blocked', 'captcha_required'],
  })
  @UseGuards(SessionRateGuard, SessionGuard, JsonBodyGuard)
  create(
    @Body() body: CreateSessionDto,
    @RenewedSession() session: VisitorIdentity | null,
    @Headers('origin') origin: string | undefined,
    @Headers('user-agent') userAgent: string | undefined,
    @Address() address: string,
  ): Promise<VisitorSessionResponse> {
    return this.sessions.create(body, session, origin, address, userAgent);
  }

  @Delete()
  @HttpCode(204)
  @ApiBearerAuth('visitorToken')
  @Describes('endSession', 204, null, {
    summary: 'End the session',
    description: 'Every node rejects the token from then on. Other tokens of the same visitor stay valid.',
    problems: [],
  })
  @UseGuards(SignOutGuard)
  end(@CurrentVisitor() session: VisitorIdentity): Promise<void> {
    return this.ended.end(session);
  }
}
