import { Body, Controller, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { SignInGuard } from '../../auth/sign-in/sign-in.guard.js';
import { SignInService } from '../../auth/sign-in/sign-in.service.js';
import { JsonBodyGuard } from '../../platform/http/requests/json-body.guard.js';
import { RouteLimits } from '../../platform/http/requests/route-limits.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { BODY, Describes } from '../describes.js';
import { LinkAgentResponse, LinkDto, LinkSignInDto, NewSessionResponse, PasswordSignInDto } from './session.dto.js';
import { SessionResponses } from './session-responses.js';

/** The most bytes of a body: enough for any address, password and organization, even fully escaped. */
const MAX_BYTES = 8_192;

const SET_COOKIE = {
  'Set-Cookie': { description: 'With the mode `cookie`: the session', schema: { type: 'string' as const } },
};

/** Signing in, which needs no session (CONTRACT: Signing in). */
@Controller('api/agent/session')
@ApiTags('Session')
@ApiProblems('unauthorized', 'forbidden', 'rate_limited', 'internal_error', 'unavailable')
@RouteLimits({ bytes: MAX_BYTES })
export class SignInController {
  constructor(
    private readonly signIn: SignInService,
    private readonly responses: SessionResponses,
  ) {}

  @Post()
  @Describes('signIn', 201, NewSessionResponse, {
    summary: 'Sign in with a password',
    description:
      'A wrong address and a wrong password are the same 401. When the password is right in several organizations, the answer is 409 with their names.',
    problems: [...BODY, 'organization_required'],
    headers: SET_COOKIE,
    isOpen: true,
  })
  @UseGuards(SignInGuard, JsonBodyGuard)
  withPassword(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() { mode, ...given }: PasswordSignInDto,
  ) {
    return this.responses.signIn({ request, response, mode }, (source) => this.signIn.withPassword(given, source));
  }

  @Post('link')
  @Describes('signInWithLink', 201, NewSessionResponse, {
    summary: 'Sign in with a link',
    description: 'A link works once. `password` becomes the password of the agent.',
    problems: [...BODY],
    headers: SET_COOKIE,
    isOpen: true,
  })
  @UseGuards(JsonBodyGuard)
  withLink(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() { mode, token, password }: LinkSignInDto,
  ) {
    return this.responses.signIn({ request, response, mode }, (source) =>
      this.signIn.withLink(token, password, source),
    );
  }

  @Post('link/agent')
  @HttpCode(200)
  @Describes('readLink', 200, LinkAgentResponse, {
    summary: 'Read whom a link signs in',
    description: 'The link stays usable.',
    problems: [...BODY],
    isOpen: true,
  })
  @UseGuards(JsonBodyGuard)
  agentOfLink(@Req() request: Request, @Body() { token }: LinkDto): Promise<LinkAgentResponse> {
    return this.signIn.findLinkAgent(token, { address: request.ip ?? '' });
  }
}
