import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Chat } from './chat.entity.js';
import { ChatsService } from './chats.service.js';
import { Visitor } from './visitor.entity.js';
import { VisitorsService } from './visitors.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Chat, Visitor])],
  providers: [ChatsService, VisitorsService],
  exports: [ChatsService, VisitorsService],
})
export class ChatsModule {}
