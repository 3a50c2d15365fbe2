import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChatsModule } from '../chats/chats.module.js';
import { FilesModule } from '../files/files.module.js';
import { LiveModule } from '../live/live.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { OfflineListener } from './kinds/offline.listener.js';
import { AssignedMail, MentionedMail } from './kinds/offline.mail.js';
import { ChatLetters } from './kinds/chat-letter.js';
import { ChatMails } from './kinds/chat-mails.service.js';
import { InvitationsService } from './kinds/invitations.service.js';
import { Kinds } from './kinds/kinds.js';
import { MissedMail } from './kinds/missed.mail.js';
import { MissedAnswers } from './kinds/missed.service.js';
import { PasswordResetsService } from './kinds/password-resets.service.js';
import { InvitationMail, PasswordResetMail } from './kinds/sign-in.mail.js';
import { TestMail } from './kinds/test.mail.js';
import { TranscriptMail } from './kinds/transcript.mail.js';
import { Transcripts } from './kinds/transcripts.service.js';
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
import { MailAuthorization } from './oauth/mail-authorization.entity.js';
import { MailTokens } from './oauth/mail-tokens.service.js';
import { ArrivedMails } from './receiving/arrived-mails.service.js';
import { InboundFiles } from './receiving/inbound-files.js';
import { InboundMail } from './receiving/inbound-mail.entity.js';
import { InboundMails } from './receiving/inbound-mails.service.js';
import { InboundRetention } from './receiving/inbound-retention.js';
import { InboundStore } from './receiving/inbound-store.service.js';
import { Returns } from './receiving/returns.service.js';
import { MailReader } from './reading/mail-reader.js';
import { MailboxIntake } from './receiving/mailbox-intake.js';
import { MailboxLease } from './receiving/mailbox-lease.js';
import { MailboxRow } from './receiving/mailbox.entity.js';
import { MailboxService } from './receiving/mailbox.service.js';
import { Surroundings } from './receiving/surroundings.js';
import { MailMetrics } from './sending/mail-metrics.js';
import { Outbox } from './sending/outbox.service.js';
import { Smtp } from './sending/smtp.js';

/** E-mails to visitors and agents (CONTRACT: E-mail). */
@Module({
  imports: [
    ChatsModule,
    FilesModule,
    LiveModule,
    MessagesModule,
    TypeOrmModule.forFeature([InboundMail, Mail, MailAddress, MailAuthorization, MailboxRow, MailLimit, VisitorLink]),
  ],
  providers: [
    ArrivedMails,
    AssignedMail,
    OfflineListener,
    ChatLetters,
    ChatMails,
    InboundFiles,
    InboundMails,
    InboundRetention,
    InboundStore,
    InvitationMail,
    InvitationsService,
    Kinds,
    MailAddresses,
    MailboxIntake,
    MailboxLease,
    MailboxService,
    MailMetrics,
    MailReader,
    MailSetup,
    MailsService,
    MailTokens,
    MentionedMail,
    MissedAnswers,
    MissedMail,
    Outbox,
    PasswordResetMail,
    PasswordResetsService,
    Returns,
    Smtp,
    Stationery,
    Surroundings,
    TestMail,
    TranscriptMail,
    Transcripts,
    Unsubscribing,
    VisitorLinks,
    VisitorPresence,
  ],
  exports: [
    ArrivedMails,
    InboundMails,
    InboundStore,
    InvitationsService,
    MailMetrics,
    MailSetup,
    MailsService,
    PasswordResetsService,
    Transcripts,
    Unsubscribing,
    VisitorLinks,
  ],
})
export class MailModule {}
