import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChatsModule } from '../chats/chats.module.js';
import { GroupsModule } from '../groups/groups.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { HandoffModule } from '../handoff/handoff.module.js';
import { FilesModule } from '../files/files.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { ChatMessagesService } from './chat-messages.service.js';
import { DirectoryService } from './directory.service.js';
import { HealthService } from './health.service.js';
import { ChatFollower } from './views/chat-follower.entity.js';
import { FollowedChatsService } from './views/followed-chats.service.js';
import { InboxService } from './views/inbox.service.js';
import { Note } from './notes/note.entity.js';
import { NoteMention } from './notes/note-mention.entity.js';
import { NotesService } from './notes/notes.service.js';
import { ReportsService } from './reports/reports.service.js';
import { VisitorBlocksService } from './views/visitor-blocks.service.js';
import { AttributesModule } from '../attributes/attributes.module.js';
import { TeamService } from './team.service.js';
import { TagsModule } from '../tags/tags.module.js';
import { VisitorsModule } from '../visitors/visitors.module.js';

const SERVICES = [
  ChatMessagesService,
  DirectoryService,
  FollowedChatsService,
  HealthService,
  InboxService,
  NotesService,
  ReportsService,
  TeamService,
  VisitorBlocksService,
];

/** What agents see, and writes that don't change a chat's owner (CONTRACT: Agent API). */
@Module({
  imports: [
    ChatsModule,
    FilesModule,
    GroupsModule,
    HandoffModule,
    MessagesModule,
    OrganizationsModule,
    AttributesModule,
    TagsModule,
    TypeOrmModule.forFeature([ChatFollower, Note, NoteMention]),
    VisitorsModule,
  ],
  providers: SERVICES,
  exports: SERVICES,
})
export class InboxModule {}
