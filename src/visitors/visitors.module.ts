import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Visitor } from './visitor.entity.js';
import { VisitorsService } from './visitors.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Visitor])],
  providers: [VisitorsService],
  exports: [VisitorsService],
})
export class VisitorsModule {}
