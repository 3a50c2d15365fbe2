import { Injectable } from '@nestjs/common';
import type { MessageCreated } from '../messages/messages.events.js';
import { OnDomainEvent } from '../platform/database/domain-events.js';
import { AgentSignalsService } from './agent-signals.service.js';

/** Ends what agents type with their messages. */
@Injectable()
export class AgentSignalsListener {
  constructor(private readonly signals: AgentSignalsService) {}

  @OnDomainEvent('message.created')
  onMessageCreated({ message: { chatId, sender } }: MessageCreated): void {
    this.signals.onMessage(chatId, sender.id);
  }
}
