import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages/messages.module.js';
import { TransferController } from './transfer.controller.js';
import { TransferService } from './transfer.service.js';

@Module({ imports: [MessagesModule], controllers: [TransferController], providers: [TransferService] })
export class TransferModule {}
