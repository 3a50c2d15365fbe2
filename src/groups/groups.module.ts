import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { Group } from './group.entity.js';
import { GroupsService } from './groups.service.js';
import { OfficeHoursTimer } from './office-hours-timer.js';

@Module({
  imports: [TypeOrmModule.forFeature([Group]), OrganizationsModule],
  providers: [GroupsService, OfficeHoursTimer],
  exports: [GroupsService],
})
export class GroupsModule {}
