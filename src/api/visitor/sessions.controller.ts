import { Body, Controller, Delete, Headers, HttpCode, Post, UseGuards } from '@nestjs/common';
import { Address } from '../../auth/limits/address.js';
import { JsonBodyGuard } from '../../platform/http/requests/json-body.guard.js';
import { EndedTokensService } from '../../auth/visitors/ended-tokens.service.js';
import { RenewedSession, SessionGuard } from '../../auth/visitors/session.guard.js';
import { type SessionResponse, SessionsService } from './sessions.service.js';
import type { VisitorIdentity } from '../../auth/visitors/visitor-auth.service.js';
import { SessionRateGuard } from '../../auth/limits/visitor-limits.js';
import { CurrentVisitor, VisitorGuard } from '../../auth/visitors/visitor.guard.js';
import { CreateSessionDto } from './visitors.dto.js';

/** Sessions of visitors. Every client with the public widget key may begin one. */
@Controller('api/visitor/sessions')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly ended: EndedTokensService,
  ) {}

  @Post()
  @UseGuards(SessionRateGuard, SessionGuard, JsonBodyGuard)
  create(
    @Body() body: CreateSessionDto,
    @RenewedSession() session: VisitorIdentity | null,
    @Headers('origin') origin: string | undefined,
    @Address() address: string,
  ): Promise<SessionResponse> {
    return this.sessions.create(body, session, origin, address);
  }

  @Delete()
  @HttpCode(204)
  @UseGuards(VisitorGuard)
  end(@CurrentVisitor() session: VisitorIdentity): Promise<void> {
    return this.ended.end(session);
  }
}
