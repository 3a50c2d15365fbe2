import type pg from 'pg';
import { isLoopback } from '../../platform/config/local-address.js';
import { deriveKeys, unseal } from '../../platform/lib/secrets.js';
import { findSecretKeys } from '../secrets/keys.js';
import { type Check, ok, warning } from './check.js';

const NAME = 'connections';
/** The most connections whose secrets are tried. */
const MAX_READ = 1_000;

const FIND = `
  SELECT c.organization_id || '/' || c.id AS row, c.bot_id AS bot, c.kind, c.secrets, c.is_enabled AS "isEnabled",
    c.settings::jsonb -> 'share' @> '["files"]' AS "sharesFiles",
    CASE WHEN c.last_failure_at > COALESCE(c.last_success_at, '-infinity') THEN c.last_failure_code END AS code
  FROM bot_connections c JOIN organizations o ON o.id = c.organization_id WHERE o.deleted_at IS NULL
  ORDER BY c.bot_id LIMIT ${MAX_READ}`;
const FIND_SHARED = `
  SELECT count(*)::integer AS groups, min(g.id) AS "group" FROM groups g JOIN organizations o ON o.id = g.organization_id
  WHERE o.deleted_at IS NULL AND g.bot_id IS NULL
    AND (SELECT count(*) FROM bot_connections c WHERE c.organization_id = g.organization_id AND c.is_enabled AND c.kind <> 'script') > 1`;

interface Connection {
  row: string;
  bot: string;
  kind: string;
  secrets: Buffer;
  isEnabled: boolean;
  sharesFiles: boolean | null;
  /** Why its last turn failed; null if it didn't. */
  code: string | null;
}

/** Checks bots by address: one line for each fault. Returns no check without connections, or if the schema is too old. */
export async function checkConnections(client: pg.Client, environment: NodeJS.ProcessEnv): Promise<Check[]> {
  const found = await client.query<Connection>(FIND).catch(() => null);
  const shared = await client.query<{ groups: number; group: string | null }>(FIND_SHARED).catch(() => null);
  if (!found?.rows.length || !shared) return [];
  const enabled = found.rows.filter(({ isEnabled }) => isEnabled);
  const faults = [
    ...describe(
      enabled.filter(({ code }) => code === 'refused_address'),
      'lead to an address that the service may not reach',
      'use a public address, or name the host in WEBHOOK_ALLOWED_HOSTS',
    ),
    ...describe(
      enabled.filter(({ code }) => code !== null && code !== 'refused_address'),
      'failed in their last turn',
      'see what the endpoint answers: npx parley bot test <bot>, and npx parley bot turns <bot> --status FAILED',
    ),
    ...describe(
      found.rows.filter((one) => one.kind !== 'script' && isUnreadable(one, environment)),
      "have secrets that SECRET_KEY can't decrypt",
      "give the key and the headers again, on the bot's page or with npx parley bot connect",
    ),
    ...describe(
      enabled.filter(({ sharesFiles }) => sharesFiles && !isPublic(environment.PUBLIC_URL)),
      'share files whose links only this machine can open',
      'set PUBLIC_URL to an address that the endpoints reach',
    ),
    ...describeShared(shared.rows[0]!),
  ];
  return faults.length > 0 ? faults : [ok(NAME, describeAll(found.rows))];
}

function describeAll(rows: readonly Connection[]): string {
  const scripts = rows.filter(({ kind }) => kind === 'script').length;
  const connected = `${rows.length - scripts} bots are connected to an address`;
  return scripts === 0 ? connected : `${connected}, and ${scripts} follow a script`;
}

function describe(of: readonly Connection[], fault: string, advice: string): Check[] {
  const [first] = of;
  if (!first) return [];
  const code = first.code === null || first.code === 'refused_address' ? '' : `, ${first.code}`;
  return [warning(NAME, `${of.length} connections ${fault} (${first.bot}${code})`, advice)];
}

function describeShared({ groups, group }: { groups: number; group: string | null }): Check[] {
  if (groups === 0) return [];
  const detail = `${groups} groups name no bot, and several are connected: the oldest connection answers (${group})`;
  return [warning(NAME, detail, 'name the bot of each group: npx parley group update <group> --bot <bot>')];
}

function isPublic(url: string | undefined): boolean {
  return url !== undefined && URL.canParse(url) && !isLoopback(new URL(url).hostname);
}

/** Without a key here, nothing is known. */
function isUnreadable({ row, secrets }: Connection, environment: NodeJS.ProcessEnv): boolean {
  const keys = findSecretKeys(environment);
  if (!keys) return false;
  try {
    unseal(deriveKeys(keys, 'bot connections'), row, secrets);
    return false;
  } catch {
    return true;
  }
}
