import { Module } from '@nestjs/common';
import { AgentsModule } from '../../agents/agents.module.js';
import { AttributesModule } from '../../attributes/attributes.module.js';
import { ChatsModule } from '../../chats/chats.module.js';
import { InboxModule } from '../../inbox/inbox.module.js';
import { LiveModule } from '../../live/live.module.js';
import { FilesModule } from '../../files/files.module.js';
import { UploadsOf } from '../uploads-of.js';
import { AgentFilesController, AgentUploadsController } from './uploads.controller.js';
import { AgentAttributeKeysController } from './attribute-keys.controller.js';
import { BlocksController } from './blocks.controller.js';
import { AgentChatsController } from './chats.controller.js';
import { DirectoryController } from './directory.controller.js';
import { MailModule } from '../../mail/mail.module.js';
import { AgentMailsController } from './mails.controller.js';
import { AgentMessagesController } from './messages.controller.js';
import { FollowedChatsController } from './followed-chats.controller.js';
import { MentionsController } from './mentions.controller.js';
import { NotesController } from './notes.controller.js';
import { OffersController } from './offers.controller.js';
import { OwnRepliesController } from './own-replies.controller.js';
import { PushModule } from '../../push/push.module.js';
import { PushController } from './push.controller.js';
import { RepliesController } from './replies.controller.js';
import { ReportsController } from './reports.controller.js';
import { SearchModule } from '../../search/search.module.js';
import { AgentSearchController } from './search.controller.js';
import { AgentSignalsController } from './signals.controller.js';
import { TagsModule } from '../../tags/tags.module.js';
import { AgentTagsController } from './tags.controller.js';
import { TeamController } from './team.controller.js';
import { AgentTitlesController } from './titles.controller.js';
import { ViewsController } from './views.controller.js';
import { AgentVisitorsController } from './visitor-chats.controller.js';

/** Agents' reads, and writes that don't change a chat's owner (CONTRACT: Agent API). */
@Module({
  imports: [
    AgentsModule,
    AttributesModule,
    ChatsModule,
    FilesModule,
    InboxModule,
    LiveModule,
    MailModule,
    PushModule,
    SearchModule,
    TagsModule,
  ],
  controllers: [
    AgentAttributeKeysController,
    AgentChatsController,
    AgentMailsController,
    AgentMessagesController,
    AgentSearchController,
    AgentSignalsController,
    AgentTagsController,
    AgentTitlesController,
    AgentVisitorsController,
    AgentFilesController,
    AgentUploadsController,
    BlocksController,
    DirectoryController,
    FollowedChatsController,
    MentionsController,
    NotesController,
    OffersController,
    OwnRepliesController,
    PushController,
    RepliesController,
    ReportsController,
    TeamController,
    ViewsController,
  ],
  providers: [UploadsOf],
})
export class InboxApiModule {}
