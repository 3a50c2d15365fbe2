import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import { SCALAR, Sized, sizeOfBytes, sizeOfList } from '../../platform/validation/body-size.js';
import { Nullable } from '../../platform/validation/validation-rules.js';
import { Check, Name, Nested, OneOf, WholeNumber } from '../../platform/validation/validators.js';
import { PageQuery } from '../../platform/validation/paging.js';
import { TimeZone } from '../../platform/validation/time-zone.js';
import type { NewOrganization, OrganizationChange } from '../../organizations/organizations.service.js';
import type { RotatedIdentitySecret } from '../../organizations/identity-secrets.service.js';
import type { Organization } from '../../organizations/organization.entity.js';
import { isRestorable } from '../../organizations/organization-deletion.service.js';
import { isOrigin, MAX_ORIGIN_LENGTH } from '../../organizations/web-origin.js';
import { withMailDefaults } from '../../organizations/mail-settings.js';
import type { GivenHours } from '../../organizations/office-hours.js';
import { OfficeHoursField, OfficeHoursResponse } from './office-hours.dto.js';
import { MailSettingsDto, MailSettingsResponse } from './mail-settings.dto.js';
import { OptionalFlag } from './optional-flag.js';
import { NextCursor, Time } from './response-fields.js';

const MAX_ORIGINS = 100;

function findOriginsFault(origins: unknown): string | null {
  if (!Array.isArray(origins)) return 'must be an array';
  if (origins.length > MAX_ORIGINS) return `must have at most ${MAX_ORIGINS} entries`;
  const wrong = origins.findIndex((origin) => !isOrigin(origin));
  return wrong < 0 ? null : `/${wrong} must be an origin like https://example.com`;
}

const MAX_RETENTION_DAYS = 3_650;
const MAX_AWAY_AFTER_MINUTES = 480;
/** A day. */
const MAX_BOT_SECONDS = 86_400;
const BOT_SILENCE = "After how many seconds agents get a chat whose bots haven't taken the visitor's message; 0: never";
const BOT_REPLY = "After how many seconds agents get a chat whose bots haven't answered the visitor; 0: never";
/** A day. */
const MAX_LATE_SECONDS = 86_400;
const LATE_AFTER = 'After how many seconds without an answer a chat that an agent has counts as late';

/** A retention period in days; null: forever. */
function RetentionDays(): PropertyDecorator {
  const isValid = (days: unknown) =>
    Number.isInteger(days) && (days as number) >= 1 && (days as number) <= MAX_RETENTION_DAYS;
  return applyDecorators(
    IsOptional(),
    Nullable(),
    Sized(SCALAR),
    Check('retentionDays', (days) =>
      isValid(days) ? null : `must be an integer from 1 to ${MAX_RETENTION_DAYS}, or null`,
    ),
    ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_RETENTION_DAYS, nullable: true }),
  );
}

/** Whether agents see what visitors are writing. */
function TypingPreview(): PropertyDecorator {
  const description = 'Whether the agent who has a chat sees what its visitor is writing; omitted: false';
  return applyDecorators(
    IsOptional(),
    IsBoolean({ message: 'must be a boolean' }),
    ApiPropertyOptional({ type: Boolean, description }),
  );
}

/** Whether the audit log stores addresses. */
function StoreAddresses(): PropertyDecorator {
  const description =
    "Whether the audit log stores the clients' IP addresses; false also removes the stored ones; omitted: true";
  return applyDecorators(
    IsOptional(),
    IsBoolean({ message: 'must be a boolean' }),
    ApiPropertyOptional({ type: Boolean, description }),
  );
}

/** Whether visitors may send files. */
function VisitorUploads(): PropertyDecorator {
  const description = 'Whether visitors may send files; omitted: false';
  return applyDecorators(
    IsOptional(),
    IsBoolean({ message: 'must be a boolean' }),
    ApiPropertyOptional({ type: Boolean, description }),
  );
}

/** The bytes of files that the organization may store; null: no limit. */
function FileQuota(): PropertyDecorator {
  const isValid = (bytes: unknown) => bytes === null || (Number.isSafeInteger(bytes) && (bytes as number) >= 0);
  const description = 'Bytes of files that may be stored; null: no limit; omitted: 10 GB';
  return applyDecorators(
    IsOptional(),
    Nullable(),
    Sized(SCALAR),
    Check('fileQuota', (bytes) => (isValid(bytes) ? null : 'must be a number of bytes, or null')),
    ApiPropertyOptional({ type: 'integer', minimum: 0, nullable: true, description }),
  );
}

class OrganizationSettings {
  /** Web origins that may embed the chat; empty = any. */
  @IsOptional()
  @Check('origins', findOriginsFault)
  @Sized(sizeOfList(MAX_ORIGINS, sizeOfBytes(MAX_ORIGIN_LENGTH)))
  @ApiPropertyOptional({ type: [String], maxItems: MAX_ORIGINS, description: 'Empty: any' })
  allowedOrigins?: string[];

  @RetentionDays()
  retentionDays?: number | null;

  @TypingPreview()
  typingPreview?: boolean;

  @StoreAddresses()
  storeAddresses?: boolean;

  @OptionalFlag('Whether all bots may only act in chats that they have; false: as each bot says')
  onlyOwnChats?: boolean;

  @VisitorUploads()
  visitorUploads?: boolean;

  @FileQuota()
  fileQuota?: number | null;
}

export class CreateOrganizationDto extends OrganizationSettings implements NewOrganization {
  @Name(200)
  name!: string;

  @OptionalFlag(
    'Whether it begins with a bot that follows the built-in script; a bot of your own would answer beside it',
  )
  simpleBot?: boolean;
}

export class UpdateOrganizationDto extends OrganizationSettings implements OrganizationChange {
  @Name(200, { optional: true })
  name?: string;

  /** The IANA time zone of reports. */
  @TimeZone({ optional: true })
  timeZone?: string;

  @WholeNumber(0, MAX_AWAY_AFTER_MINUTES, {
    optional: true,
    description: 'After how many minutes without input agents get no chats (`AWAY`); 0: never',
  })
  awayAfterMinutes?: number;

  @WholeNumber(0, MAX_BOT_SECONDS, { optional: true, description: BOT_SILENCE })
  botSilenceSeconds?: number;

  @WholeNumber(0, MAX_BOT_SECONDS, { optional: true, description: BOT_REPLY })
  botReplySeconds?: number;

  @WholeNumber(1, MAX_LATE_SECONDS, { optional: true, description: LATE_AFTER })
  lateAfterSeconds?: number;

  @OfficeHoursField('When people answer, in groups without hours of their own; null: always')
  officeHours?: GivenHours | null;

  @Nested(() => MailSettingsDto, { optional: true, description: 'Omitted fields stay as they are' })
  mail?: MailSettingsDto;
}

export class OrganizationResponse {
  @ApiProperty({ example: 'org_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ description: 'The public key of the chat widget' })
  widgetKey!: string;

  @ApiProperty({ type: [String] })
  allowedOrigins!: string[];

  @ApiProperty({ type: 'integer', nullable: true })
  retentionDays!: number | null;

  @ApiProperty()
  timeZone!: string;

  @ApiProperty({ type: () => OfficeHoursResponse, nullable: true, description: 'When people answer; null: always' })
  officeHours!: OfficeHoursResponse | null;

  @ApiProperty({ type: 'integer', description: 'After how many minutes without input agents are `AWAY`; 0: never' })
  awayAfterMinutes!: number;

  @ApiProperty({ type: 'integer', description: BOT_SILENCE })
  botSilenceSeconds!: number;

  @ApiProperty({ type: 'integer', description: BOT_REPLY })
  botReplySeconds!: number;

  @ApiProperty({ type: 'integer', description: LATE_AFTER })
  lateAfterSeconds!: number;

  @ApiProperty({ type: () => MailSettingsResponse })
  mail!: MailSettingsResponse;

  @ApiProperty({ description: 'Whether the agent who has a chat sees what its visitor is writing' })
  typingPreview!: boolean;

  @ApiProperty({ description: "Whether the audit log stores the clients' IP addresses" })
  storeAddresses!: boolean;

  @ApiProperty({ description: 'Whether all bots may only act in chats that they have; false: as each bot says' })
  onlyOwnChats!: boolean;

  @ApiProperty({ description: 'Whether visitors may send files' })
  visitorUploads!: boolean;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Bytes of files that may be stored; null: no limit' })
  fileQuota!: number | null;

  @Time()
  createdAt!: Date;
}

export class NewOrganizationResponse extends OrganizationResponse {
  @ApiProperty({ description: 'Signs the identities of visitors. It is returned only this once' })
  identitySecret!: string;
}

class ListedOrganizationResponse extends OrganizationResponse {
  @ApiPropertyOptional({ type: String, format: 'date-time', description: 'When it was deleted; only if it is' })
  deletedAt?: Date;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'When its data is removed; only if it is deleted',
  })
  removeAt?: Date;

  @ApiPropertyOptional({ description: 'Whether it can still be restored; only if it is deleted' })
  isRestorable?: boolean;
}

export class OrganizationsQuery extends PageQuery {
  @OneOf(['true'], { optional: true, description: 'List deleted organizations instead' })
  deleted?: 'true';
}

export class DeleteOrganizationQuery {
  @OneOf(['true'], { optional: true, description: 'Remove the data immediately, also of a deleted organization' })
  now?: 'true';
}

/** A new identity secret. */
export class IdentitySecretResponse implements RotatedIdentitySecret {
  @ApiProperty({ description: 'Signs the identities of visitors. It is returned only this once' })
  identitySecret!: string;

  @Time({ description: 'Until when the old secret is valid' })
  previousExpiresAt!: Date;
}

export class OrganizationsResponse {
  @ApiProperty({ type: () => [ListedOrganizationResponse] })
  organizations!: ListedOrganizationResponse[];

  @NextCursor()
  nextCursor!: string | null;
}

export function toOrganizationResponse(row: Organization): OrganizationResponse {
  const { id, name, widgetKey, allowedOrigins, retentionDays, timeZone, officeHours, createdAt } = row;
  const {
    awayAfterMinutes,
    botSilenceSeconds,
    botReplySeconds,
    lateAfterSeconds,
    typingPreview,
    storeAddresses,
    onlyOwnChats,
  } = row;
  const mail = withMailDefaults(row.mailSettings);
  const times = { timeZone, officeHours, awayAfterMinutes, botSilenceSeconds, botReplySeconds, lateAfterSeconds, mail };
  const { visitorUploads, fileQuota } = row;
  const flags = { typingPreview, storeAddresses, onlyOwnChats, visitorUploads, fileQuota };
  return { id, name, widgetKey, allowedOrigins, retentionDays, ...times, ...flags, createdAt };
}

/** With the times of its deletion, if it's deleted. */
export function toListedOrganization(row: Organization): ListedOrganizationResponse {
  const { deletedAt, removeAt } = row;
  if (deletedAt === null) return toOrganizationResponse(row);
  const isOver = { deletedAt, removeAt: removeAt ?? deletedAt, isRestorable: isRestorable(row) };
  return { ...toOrganizationResponse(row), ...isOver };
}
