import { Module } from '@nestjs/common';
import { AgentsModule } from '../../../agents/agents.module.js';
import { BotsModule } from '../../../bots/bots.module.js';
import { ChatsModule } from '../../../chats/chats.module.js';
import { FilesModule } from '../../../files/files.module.js';
import { GroupsModule } from '../../../groups/groups.module.js';
import { OrganizationsModule } from '../../../organizations/organizations.module.js';
import { VisitorsModule } from '../../../visitors/visitors.module.js';
import { DemoController } from './demo.controller.js';
import { DemoService } from './demo.service.js';

@Module({
  imports: [AgentsModule, BotsModule, ChatsModule, FilesModule, GroupsModule, OrganizationsModule, VisitorsModule],
  controllers: [DemoController],
  providers: [DemoService],
})
export class DemoModule {}
