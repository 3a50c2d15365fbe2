import { Module } from '@nestjs/common';
import { ChatsModule } from '../../chats/chats.module.js';
import { HandoffModule } from '../../handoff/handoff.module.js';
import { LiveModule } from '../../live/live.module.js';
import { MessagesModule } from '../../messages/messages.module.js';
import { OrganizationsModule } from '../../organizations/organizations.module.js';
import { VisitorsModule } from '../../visitors/visitors.module.js';
import { VisitorChatsModule } from '../../visitor-chats/visitor-chats.module.js';
import { OpenChatsService } from './open-chats.service.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';
import { VisitorChatsController } from './visitor-chats.controller.js';
import { VisitorsGateway } from './visitors.gateway.js';
import { WidgetController } from './widget.controller.js';
import { WidgetService } from './widget.service.js';

/** REST and sockets of visitors (CONTRACT section 3). */
@Module({
  imports: [
    ChatsModule,
    HandoffModule,
    LiveModule,
    MessagesModule,
    OrganizationsModule,
    VisitorChatsModule,
    VisitorsModule,
  ],
  controllers: [SessionsController, VisitorChatsController, WidgetController],
  providers: [OpenChatsService, SessionsService, VisitorsGateway, WidgetService],
})
export class VisitorApiModule {}
