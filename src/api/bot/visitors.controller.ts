import { Body, Patch } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { AttributesService } from '../../attributes/attributes.service.js';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { ChangedVisitorResponse, ChangeVisitorRequest } from '../chat-changes.dto.js';
import { BODY, Describes } from '../describes.js';
import { BotApi } from './bot-api.decorator.js';

/** Attributes of visitors (CONTRACT: Attributes). */
@BotApi('visitors', 'Visitors')
export class BotVisitorsController {
  constructor(private readonly attributes: AttributesService) {}

  @Patch(':visitorId')
  @ApiParam({ name: 'visitorId' })
  @Describes('changeVisitor', 200, ChangedVisitorResponse, {
    summary: 'Give a visitor attributes',
    description: 'Merged by key; null removes a key. Only bots, agents, and administrators read them.',
    problems: [...BODY, 'not_found'],
  })
  async change(
    @Context() context: RequestContext,
    @Id('visitorId') visitorId: string,
    @Body() { attributes }: ChangeVisitorRequest,
  ): Promise<ChangedVisitorResponse> {
    return { visitorId, attributes: await this.attributes.changeOfVisitor(context, visitorId, attributes) };
  }
}
