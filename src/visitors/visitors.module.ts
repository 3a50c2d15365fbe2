import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AddressStatuses } from './address-statuses.service.js';
import { VisitorBlockRow } from './visitor-block.entity.js';
import { Visitor } from './visitor.entity.js';
import { VisitorsService } from './visitors.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Visitor, VisitorBlockRow])],
  providers: [AddressStatuses, VisitorsService],
  exports: [AddressStatuses, VisitorsService],
})
export class VisitorsModule {}
