import { Module } from '@nestjs/common';
import { AttributesModule } from '../../attributes/attributes.module.js';
import { ChatsModule } from '../../chats/chats.module.js';
import { GroupsModule } from '../../groups/groups.module.js';
import { HandoffModule } from '../../handoff/handoff.module.js';
import { LiveModule } from '../../live/live.module.js';
import { MessagesModule } from '../../messages/messages.module.js';
import { OrganizationsModule } from '../../organizations/organizations.module.js';
import { PullModule } from '../../pull/pull.module.js';
import { VisitorsModule } from '../../visitors/visitors.module.js';
import { FilesModule } from '../../files/files.module.js';
import { UploadsOf } from '../uploads-of.js';
import { BotFilesController, BotUploadsController } from './uploads.controller.js';
import { BotChatsService } from './bot-chats.service.js';
import { ChatsController } from './chats.controller.js';
import { EventsController } from './events.controller.js';
import { HandoffsController } from './handoffs.controller.js';
import { GroupsController } from './groups.controller.js';
import { MeController } from './me.controller.js';
import { MessagesController } from './messages.controller.js';
import { SignalsController } from './signals.controller.js';
import { StatesController } from './states.controller.js';
import { SearchModule } from '../../search/search.module.js';
import { BotSearchService } from './bot-search.service.js';
import { SearchController } from './search.controller.js';
import { TagsModule } from '../../tags/tags.module.js';
import { TagsController } from './tags.controller.js';
import { TitlesController } from './titles.controller.js';
import { SubscriptionController } from './subscription.controller.js';
import { BotVisitorsController } from './visitors.controller.js';
import { TransferController } from './transfer.controller.js';

/** The bot API (CONTRACT: Bot API). */
@Module({
  imports: [
    AttributesModule,
    ChatsModule,
    FilesModule,
    GroupsModule,
    HandoffModule,
    LiveModule,
    MessagesModule,
    OrganizationsModule,
    PullModule,
    SearchModule,
    TagsModule,
    VisitorsModule,
  ],
  controllers: [
    MeController,
    HandoffsController,
    GroupsController,
    ChatsController,
    MessagesController,
    TransferController,
    SignalsController,
    StatesController,
    TagsController,
    TitlesController,
    SubscriptionController,
    EventsController,
    SearchController,
    BotFilesController,
    BotUploadsController,
    BotVisitorsController,
  ],
  providers: [BotChatsService, BotSearchService, UploadsOf],
})
export class BotApiModule {}
