import { Body, Controller, Headers, Ip, Post, UseGuards } from '@nestjs/common';
import type { VisitorClaims } from '../auth/visitor-tokens.service.js';
import { JsonBodyGuard } from '../common/json-body.guard.js';
import { RenewedSession, SessionGuard } from './session.guard.js';
import { type SessionResponse, SessionsService } from './sessions.service.js';
import { SessionRateGuard } from './visitor-limits.js';
import { CreateSessionDto } from './visitors.dto.js';

/** Anybody may begin a session who knows the public widget key. */
@Controller('api/visitor/sessions')
@UseGuards(SessionRateGuard, SessionGuard, JsonBodyGuard)
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Post()
  create(
    @Body() body: CreateSessionDto,
    @RenewedSession() session: VisitorClaims | null,
    @Headers('origin') origin: string | undefined,
    @Ip() address: string,
  ): Promise<SessionResponse> {
    return this.sessions.create(body, session, origin, address);
  }
}
