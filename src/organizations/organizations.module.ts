import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboundAgent } from '../platform/outbound/outbound-agent.js';
import { CaptchaService } from './captcha/captcha.service.js';
import { CaptchaVerifier } from './captcha/captcha-verifier.js';
import { IdentitySecretsService } from './identity-secrets.service.js';
import { Organization } from './organization.entity.js';
import { OrganizationDeletion } from './organization-deletion.service.js';
import { OrganizationsService } from './organizations.service.js';
import { PublicWidgets } from './public-widgets.js';
import { SetupService } from './setup.service.js';
import { WidgetPicturesService } from './widget-pictures.service.js';
import { WidgetSettingsService } from './widget-settings.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Organization])],
  providers: [
    CaptchaService,
    CaptchaVerifier,
    OrganizationDeletion,
    IdentitySecretsService,
    OrganizationsService,
    OutboundAgent,
    PublicWidgets,
    SetupService,
    WidgetPicturesService,
    WidgetSettingsService,
  ],
  exports: [
    CaptchaService,
    OrganizationDeletion,
    IdentitySecretsService,
    OrganizationsService,
    PublicWidgets,
    SetupService,
    WidgetPicturesService,
    WidgetSettingsService,
  ],
})
export class OrganizationsModule {}
