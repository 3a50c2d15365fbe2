import { Check, Column, Entity, Index, Unique } from 'typeorm';
import type { Captcha } from './captcha/captcha.js';
import type { StoredMailSettings } from './mail-settings.js';
import type { OfficeHours } from './office-hours.js';
import type { StoredWidgetSettings } from './widget-settings.js';
import { BytesColumn, CodeColumn, KeyColumn, TimeColumn } from '../platform/database/columns.js';

/** The default of `fileQuota`: 10 GB. */
export const FILE_QUOTA = 10_737_418_240;

/** The tenant. */
@Entity('organizations')
@Unique('uq_organizations_widget_key', ['widgetKey'])
@Check('ck_organizations_retention_days', 'retention_days BETWEEN 1 AND 3650')
@Check('ck_organizations_away_after_minutes', 'away_after_minutes BETWEEN 0 AND 480')
@Check('ck_organizations_bot_silence_seconds', 'bot_silence_seconds BETWEEN 0 AND 86400')
@Check('ck_organizations_bot_reply_seconds', 'bot_reply_seconds BETWEEN 0 AND 86400')
@Check('ck_organizations_late_after_seconds', 'late_after_seconds BETWEEN 1 AND 86400')
@Index('ix_organizations_with_away', ['id'], { where: 'away_after_minutes > 0' })
@Index('ix_organizations_with_bot_reply', ['id'], { where: 'bot_reply_seconds > 0' })
@Index('ix_organizations_retention', ['id'], { where: 'retention_days IS NOT NULL' })
@Index('ix_organizations_deleted', ['id'], { where: 'deleted_at IS NOT NULL' })
export class Organization {
  @KeyColumn('pk_organizations')
  id!: string;

  @Column('text')
  name!: string;

  @CodeColumn('widget_key')
  widgetKey!: string;

  /** The sealed key that the customer signs identities with. */
  @Column({ name: 'identity_secret', type: 'bytea', select: false })
  identitySecret!: Buffer;

  /** The former key, which is valid until the time below. */
  @Column({ name: 'previous_identity_secret', type: 'bytea', nullable: true, select: false })
  previousIdentitySecret!: Buffer | null;

  @TimeColumn('previous_identity_secret_expires_at', { nullable: true, select: false })
  previousIdentitySecretExpiresAt!: Date | null;

  /** Web origins that may embed the chat; empty = any. */
  @Column({ name: 'allowed_origins', type: 'text', array: true, default: '{}' })
  allowedOrigins!: string[];

  /** Days that messages are kept; null: forever. */
  @Column({ name: 'retention_days', type: 'integer', nullable: true })
  retentionDays!: number | null;

  /** The IANA time zone of reports. */
  @Column({ name: 'time_zone', type: 'text', default: 'UTC' })
  timeZone!: string;

  /** Whether a chat's agent sees what the visitor is typing. */
  @Column({ name: 'typing_preview', type: 'boolean', default: false })
  typingPreview!: boolean;

  /** When people answer; null: always. */
  @Column({ name: 'office_hours', type: 'json', nullable: true })
  officeHours!: OfficeHours | null;

  /** Whether the audit log stores clients' addresses. */
  @Column({ name: 'store_addresses', type: 'boolean', default: true })
  storeAddresses!: boolean;

  /** Whether its bots may only act in chats that they have (CONTRACT: Transfers). */
  @Column({ name: 'only_own_chats', type: 'boolean', default: false })
  onlyOwnChats!: boolean;

  /** Whether its visitors may send files (CONTRACT: Files). */
  @Column({ name: 'visitor_uploads', type: 'boolean', default: false })
  visitorUploads!: boolean;

  /** The bytes of files that it may store; null: no limit. */
  @BytesColumn('file_quota', { nullable: true, default: FILE_QUOTA })
  fileQuota!: number | null;

  /** After how many minutes without input an agent becomes AWAY; 0: never. */
  @Column({ name: 'away_after_minutes', type: 'integer', default: 0 })
  awayAfterMinutes!: number;

  /** After how many seconds agents get a chat whose bots haven't taken the visitor's message; 0: never. */
  @Column({ name: 'bot_silence_seconds', type: 'integer', default: 120 })
  botSilenceSeconds!: number;

  /** After how many seconds agents get a chat whose bots haven't answered the visitor; 0: never. */
  @Column({ name: 'bot_reply_seconds', type: 'integer', default: 0 })
  botReplySeconds!: number;

  /** After how many seconds without an answer a chat that an agent has counts as late. */
  @Column({ name: 'late_after_seconds', type: 'integer', default: 300 })
  lateAfterSeconds!: number;

  /** The widget's settings; null: the defaults. Only `WidgetSettingsService` reads them. */
  @Column({ name: 'widget_settings', type: 'jsonb', nullable: true, select: false })
  widgetSettings!: StoredWidgetSettings | null;

  /** What it says about its mails; null: the defaults. */
  @Column({ name: 'mail_settings', type: 'jsonb', nullable: true })
  mailSettings!: StoredMailSettings | null;

  /** When its widget was loaded last, and the site that loaded it. Only `SetupService` reads them. */
  @TimeColumn('widget_seen_at', { nullable: true, select: false })
  widgetSeenAt!: Date | null;

  @Column({ name: 'widget_seen_origin', type: 'text', nullable: true, select: false })
  widgetSeenOrigin!: string | null;

  /** The captcha of new visitors; null: none. Only `CaptchaService` reads it and its sealed secret. */
  @Column({ type: 'jsonb', nullable: true, select: false })
  captcha!: Captcha | null;

  @Column({ name: 'captcha_secret', type: 'bytea', nullable: true, select: false })
  captchaSecret!: Buffer | null;

  /** Pictures of its widget; null: none. Only `WidgetPicturesService` reads them. */
  @Column({ name: 'launcher_picture', type: 'bytea', nullable: true, select: false })
  launcherPicture!: Buffer | null;

  @Column({ name: 'bot_picture', type: 'bytea', nullable: true, select: false })
  botPicture!: Buffer | null;

  /** Set: the organization is deleted for all callers. Its data stays until `removeAt`. */
  @TimeColumn('deleted_at', { nullable: true })
  deletedAt!: Date | null;

  /** When a deleted organization is removed; null: immediately, because a node of the previous release deleted it. */
  @TimeColumn('remove_at', { nullable: true })
  removeAt!: Date | null;

  /** Set: the data of the deleted organization is being removed, so it can't be restored. */
  @TimeColumn('removal_began_at', { nullable: true })
  removalBeganAt!: Date | null;

  @TimeColumn('created_at')
  createdAt!: Date;
}
