import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChangeReader } from './change-reader.entity.js';
import { ChangeRow } from './change.entity.js';
import { ChangesService } from './changes.service.js';

/** What changed in an organization's chats, for indexes that follow them. */
@Module({
  imports: [TypeOrmModule.forFeature([ChangeReader, ChangeRow])],
  providers: [ChangesService],
  exports: [ChangesService],
})
export class ChangesModule {}
