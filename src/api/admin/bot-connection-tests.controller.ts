import { Body, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { recordedAddress } from '../../auth/audit/audit-changes.js';
import { AuditService } from '../../auth/audit/audit.service.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import { ConnectionTests, type TestListener } from '../../bot-connections/engine/connection-tests.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { RouteLimits } from '../../platform/http/requests/route-limits.js';
import { BODY, Describes } from '../describes.js';
import { AdminApi } from './admin-api.decorator.js';
import { AdminContext } from './admin-context.decorator.js';
import { ConnectionTestResponse, TestConnectionDto } from './bot-connection-tests.dto.js';

const DEFAULT_MESSAGE = 'Hello';

/** Tries a bot's connection (CONTRACT: Connections). */
@AdminApi('/:organizationId/bots/:botId/connection/test', 'Bots')
export class BotConnectionTestsController {
  constructor(
    private readonly tests: ConnectionTests,
    private readonly audit: AuditService,
  ) {}

  @Post()
  @HttpCode(200)
  @RouteLimits({ deadlineMs: null })
  @ApiExtraModels(ConnectionTestResponse)
  @ApiOkResponse({
    content: {
      'application/json': { schema: { $ref: getSchemaPath(ConnectionTestResponse) } },
      'text/event-stream': { schema: { type: 'string' } },
    },
  })
  @Describes('testBotConnection', 200, ConnectionTestResponse, {
    summary: "Try a bot's connection",
    description:
      'One run in a chat that does not exist: 200 for every result, after 60 s at most. Tools are offered, not executed. With `Accept: text/event-stream`, `text`, `status`, `tool`, and `warning` come as events, then `done` with the result.',
    problems: [...BODY, 'not_found', 'conflict', 'rate_limited'],
  })
  async test(
    @AdminContext() context: RequestContext,
    @Id('botId') botId: string,
    @Body() { message = DEFAULT_MESSAGE, connection }: TestConnectionDto,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { organizationId } = context;
    const { url, run } = await this.tests.prepare(organizationId, botId, { message, connection: connection ?? null });
    await this.audit.record(context, { action: 'connection.tested', target: botId, targetName: recordedAddress(url) });
    const ending = new AbortController();
    response.once('close', () => ending.abort());
    if (request.accepts(['application/json', 'text/event-stream']) !== 'text/event-stream') {
      response.json(await run(() => undefined, ending.signal));
      return;
    }
    // Proxies would wait for more.
    response.set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' }).flushHeaders();
    const write: (...event: Parameters<TestListener> | ['done', object]) => void = (type, data) =>
      void response.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
    write('done', await run(write, ending.signal));
    response.end();
  }
}
