import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Bot } from './bot.entity.js';
import { BotMetrics } from './bot-metrics.js';
import { BotsService } from './bots.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Bot])],
  providers: [BotMetrics, BotsService],
  exports: [BotMetrics, BotsService],
})
export class BotsModule {}
