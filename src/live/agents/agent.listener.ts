import { Injectable } from '@nestjs/common';
import type { ChatCreated, ChatsChanged } from '../../chats/model/chats.events.js';
import type { NoteAdded } from '../../inbox/notes.events.js';
import { OnDomainEvent } from '../../platform/database/domain-events.js';
import { AgentUpdates } from './agent-updates.js';

/** Passes on what concerns agents alone. */
@Injectable()
export class AgentListener {
  constructor(private readonly updates: AgentUpdates) {}

  @OnDomainEvent('chat.created')
  onChatCreated({ organizationId, chatId }: ChatCreated): void {
    this.updates.touch(organizationId, { chatId }, 'here');
  }

  @OnDomainEvent('note.added')
  onNoteAdded({ organizationId, chatId }: NoteAdded): void {
    this.updates.touch(organizationId, { chatId }, 'here');
  }

  // Before the first of many is told, none is listened to any more without the right.
  @OnDomainEvent('chats.changed')
  onChatsChanged({ chats }: ChatsChanged): void {
    for (const { id, ...place } of chats) this.updates.removeListeners(id, place);
  }
}
