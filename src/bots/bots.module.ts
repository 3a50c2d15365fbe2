import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Bot } from './bot.entity.js';
import { BotsService } from './bots.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Bot])],
  providers: [BotsService],
  exports: [BotsService],
})
export class BotsModule {}
