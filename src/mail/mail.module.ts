import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LiveModule } from '../live/live.module.js';
import { InvitationsService } from './kinds/invitations.service.js';
import { Kinds } from './kinds/kinds.js';
import { MissedMail } from './kinds/missed.mail.js';
import { MissedAnswers } from './kinds/missed.service.js';
import { PasswordResetsService } from './kinds/password-resets.service.js';
import { InvitationMail, PasswordResetMail } from './kinds/sign-in.mail.js';
import { TestMail } from './kinds/test.mail.js';
import { Stationery } from './letters/stationery.js';
import { MailAddress } from './model/mail-address.entity.js';
import { MailAddresses } from './model/mail-addresses.js';
import { MailLimit } from './model/mail-limit.entity.js';
import { MailSetup } from './model/mail-setup.js';
import { Mail } from './model/mail.entity.js';
import { MailsService } from './model/mails.service.js';
import { Unsubscribing } from './model/unsubscribing.service.js';
import { VisitorLink } from './model/visitor-link.entity.js';
import { VisitorLinks } from './model/visitor-links.service.js';
import { VisitorPresence } from './model/visitor-presence.js';
import { MailMetrics } from './sending/mail-metrics.js';
import { Outbox } from './sending/outbox.service.js';
import { Smtp } from './sending/smtp.js';

/** E-mails to visitors and agents (CONTRACT section 15). */
@Module({
  imports: [LiveModule, TypeOrmModule.forFeature([Mail, MailAddress, MailLimit, VisitorLink])],
  providers: [
    InvitationMail,
    InvitationsService,
    Kinds,
    MailAddresses,
    MailMetrics,
    MailSetup,
    MailsService,
    MissedAnswers,
    MissedMail,
    Outbox,
    PasswordResetMail,
    PasswordResetsService,
    Smtp,
    Stationery,
    TestMail,
    Unsubscribing,
    VisitorLinks,
    VisitorPresence,
  ],
  exports: [InvitationsService, MailSetup, MailsService, PasswordResetsService, Unsubscribing, VisitorLinks],
})
export class MailModule {}
