import { Injectable } from '@nestjs/common';
import type { ChatCreated, ChatsChanged } from '../../chats/model/chats.events.js';
import type { NotesChanged } from '../../inbox/notes/notes.events.js';
import { OnDomainEvent } from '../../platform/database/domain-events.js';
import { AgentUpdates } from './agent-updates.js';

/** Handles domain events that only agents see. */
@Injectable()
export class AgentListener {
  constructor(private readonly updates: AgentUpdates) {}

  @OnDomainEvent('chat.created')
  onChatCreated({ organizationId, chatId }: ChatCreated): void {
    this.updates.chatChanged(organizationId, { chatId }, 'here');
  }

  @OnDomainEvent('notes.changed')
  onNotesChanged({ organizationId, chatId }: NotesChanged): void {
    this.updates.chatChanged(organizationId, { chatId }, 'here');
  }

  // All of them, before any listener is notified of the first change.
  @OnDomainEvent('chats.changed')
  onChatsChanged({ chats }: ChatsChanged): void {
    for (const { id, ...assignment } of chats) this.updates.removeListeners(id, assignment);
  }
}
