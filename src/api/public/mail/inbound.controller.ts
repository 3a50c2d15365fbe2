import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  HttpCode,
  Injectable,
  Post,
  Query,
  Req,
  UseGuards,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { addressOf } from '../../../auth/limits/address.js';
import { WrongTokens } from '../../../auth/limits/wrong-tokens.js';
import { MAX_MAIL_BYTES } from '../../../mail/reading/received-mail.js';
import type { InboundResult } from '../../../mail/receiving/inbound-mail.js';
import { InboundMails } from '../../../mail/receiving/inbound-mails.service.js';
import { MailMetrics } from '../../../mail/sending/mail-metrics.js';
import { Config } from '../../../platform/config/config.js';
import { invalid, overloaded, Problem } from '../../../platform/errors/problem.js';
import { bearerToken } from '../../../platform/http/requests/bearer.js';
import type { BodyStream } from '../../../platform/http/requests/body-stream.js';
import { JsonBodyGuard } from '../../../platform/http/requests/json-body.guard.js';
import { RouteLimits } from '../../../platform/http/requests/route-limits.js';
import { markAuthenticated } from '../../../platform/http/responses/access-log.js';

/** How long a mail may arrive and be handled, in milliseconds. */
const DEADLINE_MS = 120_000;
/** The mails that a node takes at a time. */
const MAX_AT_A_TIME = 4;

const TOO_LARGE = 'The mail has more than 1,000 parts, 20 levels, or costs too much to read';

/** Requires MAIL_INBOUND_TOKEN. */
@Injectable()
export class InboundTokenGuard implements CanActivate {
  constructor(
    private readonly config: Config,
    private readonly wrong: WrongTokens,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const { MAIL_INBOUND_TOKEN } = this.config;
    if (MAIL_INBOUND_TOKEN === undefined)
      throw new Problem('unauthorized', 'Mail is taken by HTTP only when MAIL_INBOUND_TOKEN is set');
    await this.wrong.compare(addressOf(request), bearerToken(request.headers.authorization), MAIL_INBOUND_TOKEN);
    markAuthenticated(request);
    if (!/^message\/rfc822[ \t]*(?:;|$)/i.test(request.headers['content-type'] ?? ''))
      throw new Problem('unsupported_media_type', 'Content-Type must be message/rfc822');
    return true;
  }
}

/** Takes mail from a mail server (CONTRACT: E-mail). */
@Controller('api/mail/inbound')
@UseGuards(InboundTokenGuard, JsonBodyGuard)
@ApiExcludeController()
export class InboundController {
  private running = 0;

  constructor(
    private readonly mails: InboundMails,
    private readonly metrics: MailMetrics,
  ) {}

  @Post()
  @HttpCode(200)
  @RouteLimits({ body: 'stream', bytes: MAX_MAIL_BYTES, deadlineMs: DEADLINE_MS })
  async receive(@Req() request: Request, @Query('recipient') recipient: unknown): Promise<InboundResult> {
    if (recipient !== undefined && typeof recipient !== 'string') throw invalid('recipient', 'must be given once');
    if (this.running >= MAX_AT_A_TIME) throw overloaded(`${MAX_AT_A_TIME} mails arrive`);
    this.running++;
    try {
      const source = await readAll(request.body as BodyStream);
      const result = await this.mails.receive(source, { recipient: recipient as string | undefined });
      this.metrics.onReceived(result?.status ?? 'ignored');
      if (result?.reason === 'too_large') throw new Problem('body_too_large', TOO_LARGE);
      return result ?? { status: 'refused', reason: 'unknown_token' };
    } finally {
      this.running--;
    }
  }
}

async function readAll(body: BodyStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
