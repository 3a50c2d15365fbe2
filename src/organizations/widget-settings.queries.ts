import type { EntityManager } from 'typeorm';
import type { Captcha } from './captcha.js';
import type { StoredWidgetSettings } from './widget-settings.js';

const FIND = `
  SELECT widget_settings AS settings FROM organizations WHERE id = $1 AND deleted_at IS NULL`;

const CHANGE = `
  UPDATE organizations SET widget_settings = (COALESCE(widget_settings, '{}'::jsonb) || $2::jsonb) - $3::text[]
  WHERE id = $1 RETURNING widget_settings AS settings`;

const FIND_PUBLIC = `
  SELECT id AS "organizationId", name, allowed_origins AS "allowedOrigins", widget_settings AS settings, captcha
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
}

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
