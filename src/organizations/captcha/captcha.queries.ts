import type { EntityManager } from 'typeorm';
import type { Captcha } from './captcha.js';

const FIND = `
  SELECT name, captcha, captcha_secret AS "sealed" FROM organizations WHERE id = $1 AND deleted_at IS NULL`;

export interface CaptchaRow {
  /** The organization's name. */
  name: string;
  captcha: Captcha | null;
  sealed: Buffer | null;
}

/** An organization's captcha; undefined for an unknown organization. @param isLocked until the end of the transaction */
export async function findCaptcha(
  manager: EntityManager,
  organizationId: string,
  isLocked = false,
): Promise<CaptchaRow | undefined> {
  const [row]: CaptchaRow[] = await manager.query(isLocked ? `${FIND} FOR NO KEY UPDATE` : FIND, [organizationId]);
  return row;
}

const STORE = 'UPDATE organizations SET captcha = $2, captcha_secret = $3 WHERE id = $1';

/** Stores the captcha of a locked organization; null removes it. */
export async function storeCaptcha(
  tx: EntityManager,
  organizationId: string,
  captcha: Captcha | null,
  sealed: Buffer | null,
): Promise<void> {
  await tx.query(STORE, [organizationId, captcha && JSON.stringify(captcha), sealed]);
}
