import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages/messages.module.js';
import { InboxService } from './inbox.service.js';

/** What agents see: rows of chats, and who may see them (CONTRACT section 10). */
@Module({
  imports: [MessagesModule],
  providers: [InboxService],
  exports: [InboxService],
})
export class InboxModule {}
