import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChatRead } from './chat-read.entity.js';
import { Chat } from './chat.entity.js';
import { ChatsService } from './chats.service.js';
import { ReadsService } from './reads.service.js';
import { SignalsService } from './signals.service.js';
import { VisitorMergeService } from './visitor-merge.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Chat, ChatRead])],
  providers: [ChatsService, ReadsService, SignalsService, VisitorMergeService],
  exports: [ChatsService, ReadsService, SignalsService, VisitorMergeService],
})
export class ChatsModule {}
