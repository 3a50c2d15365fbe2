import { Body, Controller, Headers, Post, UseGuards } from '@nestjs/common';
import { bearerToken } from '../auth/bearer.js';
import { JsonBodyGuard } from '../common/json-body.guard.js';
import { type SessionResponse, SessionsService } from './sessions.service.js';
import { SessionRateGuard } from './visitor-limits.js';
import { CreateSessionDto } from './visitors.dto.js';

/** Anybody may begin a session who knows the public widget key. */
@Controller('api/visitor/sessions')
@UseGuards(SessionRateGuard, JsonBodyGuard)
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Post()
  create(
    @Body() body: CreateSessionDto,
    @Headers('authorization') authorization: string | undefined,
    @Headers('origin') origin: string | undefined,
  ): Promise<SessionResponse> {
    return this.sessions.create(body, bearerToken(authorization), origin);
  }
}
