import { Delete, HttpCode, Injectable, Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { MAX_SEQ } from '../../chats/reading/chat-state.js';
import { ChatMessagesService } from '../../inbox/chat-messages.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { Describes } from '../describes.js';
import { AgentApi } from './agent-api.decorator.js';

/** Maps a text that isn't a `seq` to 0, which no message has. */
@Injectable()
class SeqPipe implements PipeTransform<string, number> {
  transform(seq: string): number {
    const number = Number(seq);
    return Number.isInteger(number) && number > 0 && number <= MAX_SEQ ? number : 0;
  }
}

/** Messages that agents delete (CONTRACT: Agent API). */
@AgentApi('/chats/:chatId/messages', 'Chats')
export class AgentMessagesController {
  constructor(private readonly messages: ChatMessagesService) {}

  @Delete(':seq')
  @HttpCode(204)
  @ApiParam({ name: 'seq', type: 'integer' })
  @Describes('deleteMessage', 204, null, {
    summary: 'Delete a message',
    description:
      'Only the agent who sent it can. Its content is removed, and its place stays: the message gets `deletedAt`. Deleting it again changes nothing.',
    problems: ['forbidden', 'not_found'],
  })
  delete(
    @CurrentAgent() agent: AgentIdentity,
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
    @Param('seq', SeqPipe) seq: number,
  ): Promise<void> {
    return this.messages.delete(agent, context, chatId, seq);
  }
}
