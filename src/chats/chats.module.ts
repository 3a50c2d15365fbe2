import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Chat } from './chat.entity.js';
import { ChatsService } from './chats.service.js';
import { ReadsService } from './reads.service.js';
import { SignalsController } from './signals.controller.js';
import { SignalsService } from './signals.service.js';
import { Visitor } from './visitor.entity.js';
import { VisitorsService } from './visitors.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Chat, Visitor])],
  controllers: [SignalsController],
  providers: [ChatsService, ReadsService, SignalsService, VisitorsService],
  exports: [ChatsService, ReadsService, VisitorsService],
})
export class ChatsModule {}
