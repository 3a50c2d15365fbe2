import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChatsModule } from '../chats/chats.module.js';
import { FilesModule } from '../files/files.module.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { AppenderService } from './appender.service.js';
import { ChatOverviewsService } from './chat-overviews.service.js';
import { ClosingService } from './closing.service.js';
import { MessageDeletions } from './message-deletions.service.js';
import { MessageMetrics } from './message-metrics.js';
import { Message } from './message.entity.js';
import { MessagesService } from './messages.service.js';
import { ChoicesService } from './choices.service.js';
import { SystemMessages } from './system-messages.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Message]), ChatsModule, FilesModule, IdempotencyModule],
  providers: [
    AppenderService,
    ChatOverviewsService,
    ClosingService,
    MessageDeletions,
    MessageMetrics,
    MessagesService,
    ChoicesService,
    SystemMessages,
  ],
  exports: [AppenderService, ChatOverviewsService, ClosingService, MessageDeletions, MessagesService, SystemMessages],
})
export class MessagesModule {}
