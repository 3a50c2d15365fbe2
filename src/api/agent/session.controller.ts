import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AgentProfileService } from '../../auth/agent-profile.service.js';
import type { AgentIdentity } from '../../auth/agent-sessions.queries.js';
import { CurrentAgent } from '../../auth/agent.guard.js';
import { SignInService } from '../../auth/sign-in.service.js';
import { JsonBodyGuard } from '../../platform/http/json-body.guard.js';
import { AgentApi } from './agent-api.decorator.js';
import { SignInWithLinkDto } from './session.dto.js';
import { SessionAnswers } from './session-answers.js';

/** Signing in, which needs no session (CONTRACT section 7). */
@Controller('api/agent/session')
@UseGuards(JsonBodyGuard)
export class SignInController {
  constructor(
    private readonly signIn: SignInService,
    private readonly answers: SessionAnswers,
  ) {}

  @Post('link')
  async withLink(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() { token, mode }: SignInWithLinkDto,
  ) {
    const session = await this.signIn.withLink(token, this.answers.sourceOf(request));
    return this.answers.signedIn(request, response, session, mode);
  }
}

/** The session of the agent who calls (CONTRACT section 7). */
@AgentApi('/session')
export class SessionController {
  constructor(private readonly profiles: AgentProfileService) {}

  @Get()
  get(@CurrentAgent() agent: AgentIdentity) {
    return this.profiles.get(agent);
  }
}
