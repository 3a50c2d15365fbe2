import { Module } from '@nestjs/common';
import { AgentsModule } from '../../agents/agents.module.js';
import { BotConnectionsModule } from '../../bot-connections/bot-connections.module.js';
import { BotsModule } from '../../bots/bots.module.js';
import { AttributesModule } from '../../attributes/attributes.module.js';
import { ChatsModule } from '../../chats/chats.module.js';
import { GroupsModule } from '../../groups/groups.module.js';
import { HandoffModule } from '../../handoff/handoff.module.js';
import { InboxModule } from '../../inbox/inbox.module.js';
import { MailModule } from '../../mail/mail.module.js';
import { MessagesModule } from '../../messages/messages.module.js';
import { OrganizationsModule } from '../../organizations/organizations.module.js';
import { PicturesModule } from '../../pictures/pictures.module.js';
import { PrivacyModule } from '../../privacy/privacy.module.js';
import { PullModule } from '../../pull/pull.module.js';
import { TagsModule } from '../../tags/tags.module.js';
import { VisitorsModule } from '../../visitors/visitors.module.js';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import { AccessTokensController } from './access-tokens.controller.js';
import { OrganizationPipe } from './organization.pipe.js';
import { FilesModule } from '../../files/files.module.js';
import { SearchModule } from '../../search/search.module.js';
import { SearchIndexController } from './search.controller.js';
import { FilesController } from './files.controller.js';
import { AdminChatsService } from './admin-chats.service.js';
import { AgentsController } from './agents.controller.js';
import { AttributeKeysController } from './attribute-keys.controller.js';
import { AuditController } from './audit.controller.js';
import { BlockedVisitorsController } from './blocked-visitors.controller.js';
import { BotConnectionActionsController } from './bot-connection-actions.controller.js';
import { BotConnectionsController } from './bot-connections.controller.js';
import { BotConnectionTestsController } from './bot-connection-tests.controller.js';
import { BotUsageController } from './bot-usage.controller.js';
import { BotTurnsController } from './bot-turns.controller.js';
import { BotsController } from './bots.controller.js';
import { ChatsController } from './chats.controller.js';
import { DeliveriesController } from './deliveries.controller.js';
import { GroupsController } from './groups.controller.js';
import { HealthController } from './health.controller.js';
import { MailsController } from './mails.controller.js';
import { NodesController } from './nodes.controller.js';
import { InstallationController } from './installation.controller.js';
import { OperatorsController } from './operators.controller.js';
import { OrganizationsController } from './organizations.controller.js';
import { SecretsController } from './secrets.controller.js';
import { SetupController } from './setup.controller.js';
import { SignInLinksController } from './sign-in-links.controller.js';
import { AdminTagsController } from './tags.controller.js';
import { VisitorsController } from './visitors.controller.js';
import { WebhooksController } from './webhooks.controller.js';
import { CaptchaController } from './captcha.controller.js';
import { WidgetPicturesController } from './widget-pictures.controller.js';
import { SimpleBots } from './simple-bots.service.js';
import { WidgetController } from './widget.controller.js';

/** The admin API (CONTRACT: Admin API). */
@Module({
  imports: [
    AgentsModule,
    BotConnectionsModule,
    BotsModule,
    AttributesModule,
    ChatsModule,
    FilesModule,
    SearchModule,
    GroupsModule,
    HandoffModule,
    InboxModule,
    MailModule,
    MessagesModule,
    OrganizationsModule,
    PicturesModule,
    PrivacyModule,
    PullModule,
    TagsModule,
    VisitorsModule,
    WebhooksModule,
  ],
  controllers: [
    OrganizationsController,
    InstallationController,
    OperatorsController,
    GroupsController,
    AgentsController,
    HealthController,
    MailsController,
    NodesController,
    SecretsController,
    SetupController,
    SignInLinksController,
    AttributeKeysController,
    AuditController,
    BotsController,
    BotConnectionActionsController,
    BotConnectionsController,
    BotConnectionTestsController,
    BotTurnsController,
    BotUsageController,
    AccessTokensController,
    ChatsController,
    FilesController,
    SearchIndexController,
    BlockedVisitorsController,
    AdminTagsController,
    VisitorsController,
    WebhooksController,
    CaptchaController,
    WidgetController,
    WidgetPicturesController,
    DeliveriesController,
  ],
  providers: [SimpleBots, AdminChatsService, OrganizationPipe],
})
export class AdminApiModule {}
