import { Module } from '@nestjs/common';
import { ChatsModule } from '../chats/chats.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { TransferService } from './transfer.service.js';

@Module({
  imports: [ChatsModule, MessagesModule],
  providers: [TransferService],
  exports: [TransferService],
})
export class HandoffModule {}
