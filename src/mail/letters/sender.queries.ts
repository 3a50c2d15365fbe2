import type { EntityManager } from 'typeorm';
import type { StoredMailSettings } from '../../organizations/mail-settings.js';
import type { StoredWidgetSettings } from '../../organizations/widget-settings.js';

/** What a letter needs to know of its organization. */
export interface SenderRow {
  name: string;
  timeZone: string;
  mailSettings: StoredMailSettings | null;
  widgetSettings: StoredWidgetSettings | null;
}

const FIND = `
  SELECT name, time_zone AS "timeZone", mail_settings AS "mailSettings", widget_settings AS "widgetSettings" FROM organizations
  WHERE id = $1 AND deleted_at IS NULL`;

/** Null: the organization is deleted. */
export async function findSender(manager: EntityManager, organizationId: string): Promise<SenderRow | null> {
  const rows: SenderRow[] = await manager.query(FIND, [organizationId]);
  return rows[0] ?? null;
}
