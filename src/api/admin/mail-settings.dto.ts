import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import {
  type MailSettings,
  type MailSettingsChange,
  TRANSCRIPT_RULES,
  type TranscriptRule,
} from '../../organizations/mail-settings.js';
import { Sized, sizeOfText } from '../../platform/validation/body-size.js';
import { Nullable } from '../../platform/validation/validation-rules.js';
import { Check, findTextFault, Name, OneOf } from '../../platform/validation/validators.js';
import { MissedAfterSeconds } from './missed-after.js';
import { TextOrNull } from './response-fields.js';

const MAX_NAME = 100;
const MAX_URL = 500;
const FROM_NAME = "The sender's name; null: the organization's";
const LOGO = 'A picture at the top of e-mails, by https; null: none';
const TRANSCRIPT = 'When visitors get a transcript: never, if one is asked for, or also each time a chat ends';
const MISSED =
  'After how many seconds a visitor gets an e-mail about a missed answer, from 60. 0: never. A new organization: 300';
const PUSH = "Whether agents' push notifications have the visitor's name and the beginning of the message";

function findLogoFault(value: unknown): string | null {
  const fault = findTextFault(value, 1, MAX_URL);
  if (fault !== null) return fault;
  const isSafe = String(value).startsWith('https://') && URL.canParse(String(value));
  return isSafe ? null : 'must be an address that begins with https://';
}

function LogoUrl(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Nullable(),
    Sized(sizeOfText(MAX_URL)),
    Check('logoUrl', findLogoFault),
    ApiPropertyOptional({ type: String, maxLength: MAX_URL, nullable: true, description: LOGO }),
  );
}

/** What an organization says about its mails. */
export class MailSettingsDto implements MailSettingsChange {
  @Name(MAX_NAME, { optional: true, nullable: true, description: FROM_NAME })
  fromName?: string | null;

  @MissedAfterSeconds(MISSED)
  missedAfterSeconds?: number;

  @OneOf(TRANSCRIPT_RULES, { optional: true, description: TRANSCRIPT })
  transcript?: TranscriptRule;

  @LogoUrl()
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
