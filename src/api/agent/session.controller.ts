import { Body, Delete, Get, HttpCode, Put, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AgentProfileService } from '../../auth/agents/agent-profile.service.js';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { AgentSessionsService } from '../../auth/agents/agent-sessions.service.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { PasswordChange } from '../../auth/sign-in/password-change.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { PageQuery } from '../../platform/validation/paging.js';
import { AgentApi } from './agent-api.decorator.js';
import { ChangePasswordDto, toSessionResponse } from './session.dto.js';
import { SessionAnswers } from './session-answers.js';

/** The sessions and the password of the agent who calls (CONTRACT section 7). */
@AgentApi('')
export class SessionController {
  constructor(
    private readonly profiles: AgentProfileService,
    private readonly sessions: AgentSessionsService,
    private readonly passwords: PasswordChange,
    private readonly answers: SessionAnswers,
  ) {}

  @Get('session')
  get(@CurrentAgent() agent: AgentIdentity) {
    return this.profiles.get(agent);
  }

  @Delete('session')
  @HttpCode(204)
  async end(
    @CurrentAgent() agent: AgentIdentity,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.answers.end(agent, agent.sessionId, { request, response });
  }

  @Get('sessions')
  async list(@CurrentAgent() agent: AgentIdentity, @Query() query: PageQuery) {
    const { items, nextCursor } = await this.sessions.list(agent, query, toSessionResponse(agent));
    return { sessions: items, nextCursor };
  }

  @Delete('sessions/:sessionId')
  @HttpCode(204)
  async endOne(
    @CurrentAgent() agent: AgentIdentity,
    @Id('sessionId') id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.answers.end(agent, id, { request, response });
  }

  @Put('password')
  @HttpCode(204)
  changePassword(
    @CurrentAgent() agent: AgentIdentity,
    @Req() { ip = '' }: Request,
    @Body() { current, password }: ChangePasswordDto,
  ): Promise<void> {
    return this.passwords.change(agent, current, password, ip);
  }
}
