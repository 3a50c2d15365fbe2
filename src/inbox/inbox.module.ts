import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChatsModule } from '../chats/chats.module.js';
import { GroupsModule } from '../groups/groups.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { HandoffModule } from '../handoff/handoff.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { AgentSignalsListener } from './agent-signals.listener.js';
import { AgentSignalsService } from './agent-signals.service.js';
import { ChatMessagesService } from './chat-messages.service.js';
import { DirectoryService } from './directory.service.js';
import { InboxService } from './inbox.service.js';
import { Note } from './note.entity.js';
import { NotesService } from './notes.service.js';
import { ReportsService } from './reports.service.js';
import { Viewers } from './viewers.js';

/** What agents see, and what they write that changes no owner (CONTRACT section 10). */
@Module({
  imports: [
    ChatsModule,
    GroupsModule,
    HandoffModule,
    MessagesModule,
    OrganizationsModule,
    TypeOrmModule.forFeature([Note]),
  ],
  providers: [
    AgentSignalsListener,
    AgentSignalsService,
    ChatMessagesService,
    DirectoryService,
    InboxService,
    NotesService,
    ReportsService,
    Viewers,
  ],
  exports: [
    AgentSignalsService,
    ChatMessagesService,
    DirectoryService,
    InboxService,
    NotesService,
    ReportsService,
    Viewers,
  ],
})
export class InboxModule {}
