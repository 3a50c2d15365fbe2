import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import {
  type MailSettings,
  type MailSettingsChange,
  TRANSCRIPT_RULES,
  type TranscriptRule,
} from '../../organizations/mail-settings.js';
import { Name, OneOf } from '../../platform/validation/validators.js';
import { PictureUrl } from '../picture-url.js';
import { MissedAfterSeconds } from './missed-after.js';
import { TextOrNull } from './response-fields.js';

const MAX_NAME = 100;
const FROM_NAME = "The sender's name; null: the organization's";
const LOGO = 'The address of the picture at the top of e-mails; null: none';
const TRANSCRIPT = 'When visitors get a transcript: never, if one is asked for, or also each time a chat ends';
const MISSED =
  'After how many seconds a visitor gets an e-mail about a missed answer, from 60. 0: never. A new organization: 300';
const PUSH = "Whether agents' push notifications have the visitor's name and the beginning of the message";

/** What an organization says about its mails. */
export class MailSettingsDto implements MailSettingsChange {
  @Name(MAX_NAME, { optional: true, nullable: true, description: FROM_NAME })
  fromName?: string | null;

  @MissedAfterSeconds(MISSED)
  missedAfterSeconds?: number;

  @OneOf(TRANSCRIPT_RULES, { optional: true, description: TRANSCRIPT })
  transcript?: TranscriptRule;

  @PictureUrl()
  logoUrl?: string | null;

  @IsOptional()
  @IsBoolean({ message: 'must be a boolean' })
  @ApiPropertyOptional({ description: PUSH })
  pushContent?: boolean;
}

export class MailSettingsResponse implements MailSettings {
  @TextOrNull({ description: FROM_NAME })
  fromName!: string | null;

  @ApiProperty({ type: 'integer', description: MISSED })
  missedAfterSeconds!: number;

  @ApiProperty({ enum: [...TRANSCRIPT_RULES], description: TRANSCRIPT })
  transcript!: TranscriptRule;

  @TextOrNull({ description: LOGO })
  logoUrl!: string | null;

  @ApiProperty({ description: PUSH })
  pushContent!: boolean;
}
