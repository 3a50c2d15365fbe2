import { parseVapidKeys } from '../../platform/config/vapid-variables.js';
import { isLoopback } from '../../platform/config/local-address.js';
import { type Check, ok, warning } from './check.js';

const NAME = 'push';

/** Says whether browsers can subscribe, and where the key comes from. Null: PUBLIC_URL isn't set, or leads to this machine. */
export function checkPush({ PUBLIC_URL, VAPID_KEYS, MAIL_FROM }: NodeJS.ProcessEnv): Check | null {
  if (!PUBLIC_URL || !URL.canParse(PUBLIC_URL)) return null;
  const { protocol, hostname } = new URL(PUBLIC_URL);
  if (protocol !== 'https:') {
    if (isLoopback(hostname)) return null;
    return warning(NAME, 'PUBLIC_URL is not https: browsers do not subscribe', 'serve Parley by https');
  }
  const keys = parseVapidKeys(VAPID_KEYS || undefined);
  const key = keys.length > 0 ? 'the first key of VAPID_KEYS' : 'a generated key';
  return ok(NAME, `${key}; push services can reach ${MAIL_FROM ? 'MAIL_FROM' : 'PUBLIC_URL'}`);
}
