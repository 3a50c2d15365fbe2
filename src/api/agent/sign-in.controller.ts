import { Body, Controller, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SignInGuard } from '../../auth/sign-in/sign-in.guard.js';
import { SignInService } from '../../auth/sign-in/sign-in.service.js';
import { JsonBodyGuard } from '../../platform/http/requests/json-body.guard.js';
import { RouteLimits } from '../../platform/http/requests/route-limits.js';
import { LinkSignInDto, PasswordSignInDto } from './session.dto.js';
import { SessionAnswers } from './session-answers.js';

/** The most bytes of a body: enough for every agent's address, password and organization, however they are escaped. */
const MAX_BYTES = 8_192;

/** Signing in, which needs no session (CONTRACT section 7). */
@Controller('api/agent/session')
@RouteLimits({ bytes: MAX_BYTES })
export class SignInController {
  constructor(
    private readonly signIn: SignInService,
    private readonly answers: SessionAnswers,
  ) {}

  @Post()
  @UseGuards(SignInGuard, JsonBodyGuard)
  withPassword(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() { mode, ...given }: PasswordSignInDto,
  ) {
    return this.answers.signIn({ request, response, mode }, (source) => this.signIn.withPassword(given, source));
  }

  @Post('link')
  @UseGuards(JsonBodyGuard)
  withLink(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() { mode, token, password }: LinkSignInDto,
  ) {
    return this.answers.signIn({ request, response, mode }, (source) => this.signIn.withLink(token, password, source));
  }
}
