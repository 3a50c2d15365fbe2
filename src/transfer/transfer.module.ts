import { Module } from '@nestjs/common';
import { ChatsModule } from '../chats/chats.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { TransferController } from './transfer.controller.js';
import { TransferService } from './transfer.service.js';

@Module({ imports: [ChatsModule, MessagesModule], controllers: [TransferController], providers: [TransferService] })
export class TransferModule {}
