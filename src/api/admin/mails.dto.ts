import { ApiProperty } from '@nestjs/swagger';
import { INBOUND_STATUSES, type InboundStatus } from '../../mail/receiving/inbound-mail.js';
import type { InboundRow } from '../../mail/receiving/inbound-mails.queries.js';
import { MAIL_KINDS, MAIL_STATUSES, type MailKind, type MailRow, type MailStatus } from '../../mail/model/mail.js';
import { Sized, sizeOfText } from '../../platform/validation/body-size.js';
import { Check } from '../../platform/validation/validators.js';
import { findEmailFault, MAX_EMAIL_LENGTH } from './agents.dto.js';
import { NextCursor, TextOrNull, Time } from './response-fields.js';

export class TestMailDto {
  @Check('email', findEmailFault)
  @Sized(sizeOfText(MAX_EMAIL_LENGTH))
  @ApiProperty({ format: 'email', maxLength: MAX_EMAIL_LENGTH })
  to!: string;
}

/** How this installation sends and takes mails. */
export class MailSetupResponse {
  @ApiProperty({ description: 'Whether it sends e-mails: `SMTP_URL`, `MAIL_FROM`, and `PUBLIC_URL` are set' })
  isOn!: boolean;

  @TextOrNull({ description: 'The address that e-mails come from; null if none are sent' })
  from!: string | null;

  @ApiProperty({ description: 'Whether answers arrive: `IMAP_URL` or `MAIL_INBOUND_TOKEN` is set' })
  takesReplies!: boolean;
}

/** A mail, without its text. */
export class MailResponse implements MailRow {
  @ApiProperty({ example: 'eml_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ enum: [...MAIL_KINDS] })
  kind!: MailKind;

  @ApiProperty()
  to!: string;

  @TextOrNull()
  chatId!: string | null;

  @TextOrNull()
  visitorId!: string | null;

  @TextOrNull()
  agentId!: string | null;

  @ApiProperty({ enum: [...MAIL_STATUSES] })
  status!: MailStatus;

  @TextOrNull({ description: 'What the mail server said last, or why the mail lapsed' })
  lastError!: string | null;

  @ApiProperty({ type: 'integer', description: 'How often the mail server was asked' })
  attempts!: number;

  @Time({ nullable: true, description: 'Null unless it is waiting' })
  nextAttemptAt!: Date | null;

  @Time()
  createdAt!: Date;

  @Time({ nullable: true })
  sentAt!: Date | null;
}

/** A mail in the export of a visitor. */
export class ExportedMailResponse {
  @ApiProperty({ example: 'eml_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty()
  kind!: string;

  @ApiProperty()
  to!: string;

  @ApiProperty()
  status!: string;

  @Time()
  createdAt!: Date;

  @Time({ nullable: true })
  sentAt!: Date | null;
}

export class MailsResponse {
  @ApiProperty({ type: () => [MailResponse] })
  mails!: MailResponse[];

  @NextCursor()
  nextCursor!: string | null;
}

/** A mail that arrived, in the export of a visitor. */
export class ExportedArrivedMailResponse {
  @ApiProperty({ example: 'inm_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @TextOrNull()
  from!: string | null;

  @ApiProperty()
  status!: string;

  @TextOrNull()
  reason!: string | null;

  @TextOrNull({ description: 'What it says, while agents are to check it' })
  text!: string | null;

  @Time()
  receivedAt!: Date;
}

/** A mail that arrived, without its text. */
export class ArrivedMailResponse implements InboundRow {
  @ApiProperty({ example: 'inm_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ enum: [...INBOUND_STATUSES] })
  status!: InboundStatus;

  @TextOrNull({
    description:
      'Why it was refused, or what a returned e-mail says: `hard`, `soft`, `delayed`, `complaint`, or `other`',
  })
  reason!: string | null;

  @TextOrNull()
  from!: string | null;

  @TextOrNull()
  chatId!: string | null;

  @ApiProperty({ description: 'The e-mail of ours that it answers' })
  mailId!: string;

  @Time()
  receivedAt!: Date;
}

export class ArrivedMailsResponse {
  @ApiProperty({ type: () => [ArrivedMailResponse] })
  mails!: ArrivedMailResponse[];

  @NextCursor()
  nextCursor!: string | null;
}
