import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InvitationsService } from './kinds/invitations.service.js';
import { Kinds } from './kinds/kinds.js';
import { PasswordResetsService } from './kinds/password-resets.service.js';
import { InvitationMail, PasswordResetMail } from './kinds/sign-in.mail.js';
import { TestMail } from './kinds/test.mail.js';
import { Stationery } from './letters/stationery.js';
import { MailAddresses } from './model/mail-addresses.js';
import { MailLimit } from './model/mail-limit.entity.js';
import { MailSetup } from './model/mail-setup.js';
import { Mail } from './model/mail.entity.js';
import { MailsService } from './model/mails.service.js';
import { Outbox } from './sending/outbox.service.js';
import { Smtp } from './sending/smtp.js';

/** E-mails to visitors and agents (CONTRACT section 15). */
@Module({
  imports: [TypeOrmModule.forFeature([Mail, MailLimit])],
  providers: [
    InvitationMail,
    InvitationsService,
    Kinds,
    MailAddresses,
    MailSetup,
    MailsService,
    Outbox,
    PasswordResetMail,
    PasswordResetsService,
    Smtp,
    Stationery,
    TestMail,
  ],
  exports: [InvitationsService, MailSetup, MailsService, PasswordResetsService],
})
export class MailModule {}
