import { Body, Controller, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SignInService } from '../../auth/sign-in.service.js';
import { JsonBodyGuard } from '../../platform/http/json-body.guard.js';
import { LinkSignInDto, PasswordSignInDto } from './session.dto.js';
import { SessionAnswers } from './session-answers.js';

/** Signing in, which needs no session (CONTRACT section 7). */
@Controller('api/agent/session')
@UseGuards(JsonBodyGuard)
export class SignInController {
  constructor(
    private readonly signIn: SignInService,
    private readonly answers: SessionAnswers,
  ) {}

  @Post()
  withPassword(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() { mode, ...given }: PasswordSignInDto,
  ) {
    return this.answers.signIn({ request, response, mode }, (source) => this.signIn.withPassword(given, source));
  }

  @Post('link')
  withLink(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() { mode, token, password }: LinkSignInDto,
  ) {
    return this.answers.signIn({ request, response, mode }, (source) => this.signIn.withLink(token, password, source));
  }
}
