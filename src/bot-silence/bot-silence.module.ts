import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChatsModule } from '../chats/chats.module.js';
import { HandoffModule } from '../handoff/handoff.module.js';
import { BotSilenceMetrics } from './bot-silence-metrics.js';
import { BotSilence } from './bot-silence.entity.js';
import { BotSilenceService } from './bot-silence.service.js';

@Module({
  imports: [ChatsModule, HandoffModule, TypeOrmModule.forFeature([BotSilence])],
  providers: [BotSilenceMetrics, BotSilenceService],
})
export class BotSilenceModule {}
