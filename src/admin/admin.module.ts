import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module.js';
import { BotsModule } from '../bots/bots.module.js';
import { ChatsModule } from '../chats/chats.module.js';
import { GroupsModule } from '../groups/groups.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { AdminChatsService } from './admin-chats.service.js';
import { AgentsAdminController } from './agents.admin.controller.js';
import { BotsAdminController } from './bots.admin.controller.js';
import { ChatsAdminController } from './chats.admin.controller.js';
import { GroupsAdminController } from './groups.admin.controller.js';
import { OrganizationsAdminController } from './organizations.admin.controller.js';
import { TokensAdminController } from './tokens.admin.controller.js';

@Module({
  imports: [AgentsModule, BotsModule, ChatsModule, GroupsModule, MessagesModule, OrganizationsModule],
  controllers: [
    OrganizationsAdminController,
    GroupsAdminController,
    AgentsAdminController,
    BotsAdminController,
    TokensAdminController,
    ChatsAdminController,
  ],
  providers: [AdminChatsService],
})
export class AdminModule {}
