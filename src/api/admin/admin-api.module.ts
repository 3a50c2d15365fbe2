import { Module } from '@nestjs/common';
import { AgentsModule } from '../../agents/agents.module.js';
import { BotsModule } from '../../bots/bots.module.js';
import { ChatsModule } from '../../chats/chats.module.js';
import { GroupsModule } from '../../groups/groups.module.js';
import { HandoffModule } from '../../handoff/handoff.module.js';
import { MessagesModule } from '../../messages/messages.module.js';
import { OrganizationsModule } from '../../organizations/organizations.module.js';
import { PrivacyModule } from '../../privacy/privacy.module.js';
import { PullModule } from '../../pull/pull.module.js';
import { VisitorsModule } from '../../visitors/visitors.module.js';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import { TokensAdminController } from './access-tokens.controller.js';
import { OrganizationPipe } from './organization.pipe.js';
import { AdminChatsService } from './admin-chats.service.js';
import { AgentsAdminController } from './agents.controller.js';
import { AuditAdminController } from './audit.controller.js';
import { BotsAdminController } from './bots.controller.js';
import { ChatsAdminController } from './chats.controller.js';
import { DeliveriesAdminController } from './deliveries.controller.js';
import { GroupsAdminController } from './groups.controller.js';
import { OrganizationsAdminController } from './organizations.controller.js';
import { SignInLinksAdminController } from './sign-in-links.controller.js';
import { VisitorsAdminController } from './visitors.controller.js';
import { WebhooksAdminController } from './webhooks.controller.js';
import { WidgetAdminController } from './widget.controller.js';

/** The admin API (CONTRACT section 5). */
@Module({
  imports: [
    AgentsModule,
    BotsModule,
    ChatsModule,
    GroupsModule,
    HandoffModule,
    MessagesModule,
    OrganizationsModule,
    PrivacyModule,
    PullModule,
    VisitorsModule,
    WebhooksModule,
  ],
  controllers: [
    OrganizationsAdminController,
    GroupsAdminController,
    AgentsAdminController,
    SignInLinksAdminController,
    AuditAdminController,
    BotsAdminController,
    TokensAdminController,
    ChatsAdminController,
    VisitorsAdminController,
    WebhooksAdminController,
    WidgetAdminController,
    DeliveriesAdminController,
  ],
  providers: [AdminChatsService, OrganizationPipe],
})
export class AdminApiModule {}
