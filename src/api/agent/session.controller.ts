import { Body, Delete, Get, HttpCode, Patch, Put, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AgentAccountsService } from '../../auth/agents/agent-accounts.service.js';
import { AgentProfileService } from '../../auth/agents/agent-profile.service.js';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { AgentSessionsService } from '../../auth/agents/agent-sessions.service.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { PasswordChange } from '../../auth/sign-in/password-change.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { PageQuery } from '../../platform/validation/paging.js';
import { AgentApi } from './agent-api.decorator.js';
import { BODY, Describes } from '../describes.js';
import { WITH_PICTURE } from '../picture-url.js';
import { PicturesService } from '../../pictures/pictures.service.js';
import { RouteLimits } from '../../platform/http/requests/route-limits.js';
import { ETAG_HEADER, Rereadable } from '../versioned.js';
import {
  ChangePasswordDto,
  SessionResponse,
  SessionsResponse,
  toSessionResponse,
  UpdateProfileDto,
} from './session.dto.js';
import { SessionResponses } from './session-responses.js';

const REMOVED_COOKIE = {
  'Set-Cookie': { description: 'Removes the cookie of the session', schema: { type: 'string' as const } },
};

/** The sessions and the password of the agent who calls (CONTRACT: Signing in). */
@AgentApi('')
export class SessionController {
  constructor(
    private readonly accounts: AgentAccountsService,
    private readonly profiles: AgentProfileService,
    private readonly sessions: AgentSessionsService,
    private readonly passwords: PasswordChange,
    private readonly responses: SessionResponses,
    private readonly pictures: PicturesService,
  ) {}

  @Get('session')
  @Describes('getSession', 200, SessionResponse, {
    summary: 'Get the session and the agent',
    description: 'Shows who is signed in, and until when.',
    problems: [],
    headers: ETAG_HEADER,
  })
  @Rereadable()
  get(@CurrentAgent() agent: AgentIdentity): Promise<SessionResponse> {
    return this.profiles.get(agent);
  }

  @Patch('session')
  @RouteLimits(WITH_PICTURE)
  @Describes('updateProfile', 200, SessionResponse, {
    summary: "Change the agent's own name, picture, and e-mails",
    description: 'Omitted fields stay as they are. Earlier messages keep the name they were sent with.',
    problems: [...BODY, 'quota_exceeded'],
  })
  async update(
    @CurrentAgent() agent: AgentIdentity,
    @Context() context: RequestContext,
    @Body() { name, avatarUrl, mailWhenAway }: UpdateProfileDto,
  ): Promise<SessionResponse> {
    await this.pictures.change(agent.organizationId, { choice: avatarUrl, pointer: '/avatarUrl' }, (address) =>
      this.accounts.update(context, agent.agentId, { name, avatarUrl: address, mailWhenAway }),
    );
    return this.profiles.get(agent);
  }

  @Delete('session')
  @HttpCode(204)
  @Describes('signOut', 204, null, {
    summary: 'Sign out',
    description: 'Ends this session on every node, and removes its cookie.',
    problems: [],
    headers: REMOVED_COOKIE,
  })
  async end(
    @CurrentAgent() agent: AgentIdentity,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.responses.end(agent, agent.sessionId, { request, response });
  }

  @Get('sessions')
  @Describes('listSessions', 200, SessionsResponse, {
    summary: "List the agent's own sessions",
    description: 'Only sessions that have not ended.',
    problems: ['validation_failed'],
  })
  async list(@CurrentAgent() agent: AgentIdentity, @Query() query: PageQuery) {
    const { items, nextCursor } = await this.sessions.list(agent, query, toSessionResponse(agent));
    return { sessions: items, nextCursor };
  }

  @Delete('sessions/:sessionId')
  @HttpCode(204)
  @Describes('endSession', 204, null, {
    summary: "End one of the agent's own sessions",
    description: 'Ends the sign-in of another browser, or this one.',
    problems: ['not_found'],
    headers: REMOVED_COOKIE,
  })
  async endOne(
    @CurrentAgent() agent: AgentIdentity,
    @Id('sessionId') id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.responses.end(agent, id, { request, response });
  }

  @Put('password')
  @HttpCode(204)
  @Describes('changePassword', 204, null, {
    summary: "Change the agent's password",
    description: 'Ends every other session and every sign-in link of the agent.',
    problems: [...BODY, 'wrong_password', 'conflict'],
  })
  changePassword(
    @CurrentAgent() agent: AgentIdentity,
    @Req() { ip = '' }: Request,
    @Body() { current, password }: ChangePasswordDto,
  ): Promise<void> {
    return this.passwords.change(agent, current, password, ip);
  }
}
