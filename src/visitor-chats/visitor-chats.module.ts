import { Module } from '@nestjs/common';
import { ChatsModule } from '../chats/chats.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { VisitorsModule } from '../visitors/visitors.module.js';
import { VisitorChatsService } from './visitor-chats.service.js';

@Module({
  imports: [ChatsModule, MessagesModule, OrganizationsModule, VisitorsModule],
  providers: [VisitorChatsService],
  exports: [VisitorChatsService],
})
export class VisitorChatsModule {}
