import { Module } from '@nestjs/common';
import { AttributesModule } from '../../attributes/attributes.module.js';
import { SignedVisitors } from './signed-visitors.service.js';
import { BotConnectionsModule } from '../../bot-connections/bot-connections.module.js';
import { ChatsModule } from '../../chats/chats.module.js';
import { HandoffModule } from '../../handoff/handoff.module.js';
import { LiveModule } from '../../live/live.module.js';
import { MailModule } from '../../mail/mail.module.js';
import { MessagesModule } from '../../messages/messages.module.js';
import { OrganizationsModule } from '../../organizations/organizations.module.js';
import { VisitorsModule } from '../../visitors/visitors.module.js';
import { VisitorChatsModule } from '../../visitor-chats/visitor-chats.module.js';
import { FilesModule } from '../../files/files.module.js';
import { UploadsOf } from '../uploads-of.js';
import { VisitorFilesController, VisitorUploadsController } from './uploads.controller.js';
import { VisitorLinkController } from './link.controller.js';
import { VisitorFiles } from './visitor-files.service.js';
import { ContinueService } from './continue.service.js';
import { OpenChatsService } from './open-chats.service.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';
import { VisitorChatsController } from './visitor-chats.controller.js';
import { VisitorsGateway } from './visitors.gateway.js';
import { WidgetController } from './widget.controller.js';
import { WidgetService } from './widget.service.js';

/** REST and sockets of visitors (CONTRACT: Visitors). */
@Module({
  imports: [
    AttributesModule,
    BotConnectionsModule,
    ChatsModule,
    FilesModule,
    HandoffModule,
    LiveModule,
    MailModule,
    MessagesModule,
    OrganizationsModule,
    VisitorChatsModule,
    VisitorsModule,
  ],
  controllers: [
    SessionsController,
    VisitorChatsController,
    VisitorFilesController,
    VisitorLinkController,
    VisitorUploadsController,
    WidgetController,
  ],
  providers: [
    ContinueService,
    OpenChatsService,
    SessionsService,
    SignedVisitors,
    UploadsOf,
    VisitorFiles,
    VisitorsGateway,
    WidgetService,
  ],
})
export class VisitorApiModule {}
