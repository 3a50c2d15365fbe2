import { storable } from '../drivers/split-text.js';
import type { OpenConnection } from '../model/conversation.js';

const MAX_DETAIL = 300;

/** A detail of at most 300 characters, without the connection's secrets. */
export function maskedDetail(detail: string, { secrets }: OpenConnection): string {
  const hidden = [secrets.key, secrets.query, secrets.query.slice(1), ...Object.values(secrets.headers)];
  const masked = hidden.reduce<string>((text, secret) => (secret ? text.replaceAll(secret, '***') : text), detail);
  return storable(masked).slice(0, MAX_DETAIL);
}
