import { Body, Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { addressOf } from '../../auth/limits/address.js';
import { PasswordResetsService } from '../../mail/kinds/password-resets.service.js';
import { JsonBodyGuard } from '../../platform/http/requests/json-body.guard.js';
import { RouteLimits } from '../../platform/http/requests/route-limits.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { BODY, Describes } from '../describes.js';
import { PasswordResetDto } from './session.dto.js';

const MAX_BYTES = 8_192;

/** Forgotten passwords (CONTRACT: E-mail). */
@Controller('api/agent/password-reset')
@ApiTags('Session')
@ApiProblems('rate_limited', 'internal_error', 'unavailable')
@RouteLimits({ bytes: MAX_BYTES })
export class PasswordResetController {
  constructor(private readonly resets: PasswordResetsService) {}

  @Post()
  @HttpCode(202)
  @Describes('resetPassword', 202, null, {
    summary: 'Ask for a link to choose a new password',
    description: 'The answer is the same whether the address is known, mail is set up, or a limit is reached.',
    problems: [...BODY],
    isOpen: true,
  })
  @UseGuards(JsonBodyGuard)
  reset(@Req() request: Request, @Body() { email }: PasswordResetDto): Promise<void> {
    return this.resets.request(email, addressOf(request));
  }
}
