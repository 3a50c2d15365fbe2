import type { EntityManager } from 'typeorm';
import type { Captcha } from './captcha/captcha.js';
import type { StoredMailSettings } from './mail-settings.js';
import type { PicturePlace } from './picture.js';
import type { StoredWidgetSettings } from './widget-settings.js';

const FIND = `
  SELECT widget_settings AS settings FROM organizations WHERE id = $1 AND deleted_at IS NULL`;

const CHANGE = `
  UPDATE organizations SET widget_settings = (COALESCE(widget_settings, '{}'::jsonb) || $2::jsonb) - $3::text[]
  WHERE id = $1 RETURNING widget_settings AS settings`;

// A picture's name changes with its content, so browsers may keep it forever.
const nameOf = (column: string) => `left(encode(sha256(${column}), 'hex'), 32)`;

const PICTURES = `
  json_build_object('launcher', ${nameOf('launcher_picture')}, 'bot', ${nameOf('bot_picture')}) AS pictures`;

const COLUMNS: Record<PicturePlace, string> = { launcher: 'launcher_picture', bot: 'bot_picture' };

const FIND_PUBLIC = `
  SELECT id AS "organizationId", name, allowed_origins AS "allowedOrigins", widget_settings AS settings, captcha,
    visitor_uploads AS "visitorUploads", mail_settings AS "mailSettings", ${PICTURES}
  FROM organizations WHERE widget_key = $1 AND deleted_at IS NULL`;

// A statement of its own: groups are on the organization's shard, which only the first one finds.
const FIND_TIMES = `
  SELECT opens_at AS "opensAt", closes_at AS "closesAt", reopens_at AS "reopensAt"
  FROM groups WHERE organization_id = $1 AND is_default`;

interface SettingsRow {
  settings: StoredWidgetSettings | null;
}

/** What an organization's widget may know. */
export interface PublicRow extends SettingsRow, PublicTimes {
  organizationId: string;
  name: string;
  allowedOrigins: string[];
  captcha: Captcha | null;
  visitorUploads: boolean;
  mailSettings: StoredMailSettings | null;
  pictures: PictureNames;
}

/** The names of the chosen pictures, by where they're shown. */
export type PictureNames = Record<PicturePlace, string | null>;

/** The default group's times; null without office hours. */
interface PublicTimes {
  opensAt: Date | null;
  closesAt: Date | null;
  reopensAt: Date | null;
}

/** The stored settings; undefined for an unknown organization. */
export async function findSettings(manager: EntityManager, id: string): Promise<SettingsRow | undefined> {
  const [row]: SettingsRow[] = await manager.query(FIND, [id]);
  return row;
}

/** The stored settings, locked until the transaction ends; undefined for an unknown organization. */
export async function lockSettings(tx: EntityManager, id: string): Promise<SettingsRow | undefined> {
  const [row]: SettingsRow[] = await tx.query(`${FIND} FOR NO KEY UPDATE`, [id]);
  return row;
}

/** Stores some settings of a locked organization and removes others. Returns all stored settings. */
export async function changeSettings(
  manager: EntityManager,
  id: string,
  made: StoredWidgetSettings,
  removed: readonly string[],
): Promise<StoredWidgetSettings | null> {
  const [rows] = (await manager.query(CHANGE, [id, JSON.stringify(made), removed])) as [SettingsRow[], number];
  return rows[0]!.settings;
}

/** By a public widget key; null for an unknown one. */
export async function findPublicRow(manager: EntityManager, widgetKey: string): Promise<PublicRow | null> {
  const [row]: Omit<PublicRow, keyof PublicTimes>[] = await manager.query(FIND_PUBLIC, [widgetKey]);
  if (!row) return null;
  const [times]: PublicTimes[] = await manager.query(FIND_TIMES, [row.organizationId]);
  return { ...row, ...(times ?? { opensAt: null, closesAt: null, reopensAt: null }) };
}

/** Undefined for an unknown organization. @param isLocked until the end of the transaction */
export async function findPictures(
  manager: EntityManager,
  organizationId: string,
  isLocked = false,
): Promise<PictureNames | undefined> {
  const find = `SELECT ${PICTURES} FROM organizations WHERE id = $1 AND deleted_at IS NULL`;
  const rows: { pictures: PictureNames }[] = await manager.query(isLocked ? `${find} FOR NO KEY UPDATE` : find, [
    organizationId,
  ]);
  return rows[0]?.pictures;
}

/** Stores a picture of a locked organization; null removes it. */
export async function storePicture(
  tx: EntityManager,
  organizationId: string,
  place: PicturePlace,
  content: Buffer | null,
): Promise<void> {
  await tx.query(`UPDATE organizations SET ${COLUMNS[place]} = $2 WHERE id = $1`, [organizationId, content]);
}

/** Null if the picture has another name by now. */
export async function findPicture(
  manager: EntityManager,
  organizationId: string,
  place: PicturePlace,
  name: string,
): Promise<Buffer | null> {
  const column = COLUMNS[place];
  const find = `SELECT ${column} AS content FROM organizations WHERE id = $1 AND ${nameOf(column)} = $2 AND deleted_at IS NULL`;
  const [row]: { content: Buffer }[] = await manager.query(find, [organizationId, name]);
  return row?.content ?? null;
}
