import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Organization } from './organization.entity.js';
import { OrganizationsService } from './organizations.service.js';
import { PublicWidgets } from './public-widgets.js';
import { SetupService } from './setup.service.js';
import { WidgetSettingsService } from './widget-settings.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Organization])],
  providers: [OrganizationsService, PublicWidgets, SetupService, WidgetSettingsService],
  exports: [OrganizationsService, PublicWidgets, SetupService, WidgetSettingsService],
})
export class OrganizationsModule {}
