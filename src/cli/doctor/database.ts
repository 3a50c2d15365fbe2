import type pg from 'pg';
import { Config } from '../../platform/config/config.js';
import { sqlIsOfExisting } from '../../organizations/organization-deletion.queries.js';
import { addressOf } from '../../platform/config/database-url.js';
import { MIGRATION_NAMES, NO_TIME_LIMITS, PLANNING } from '../../platform/database/data-source.js';
import { findEmbeddedPostgres } from '../../platform/database/embedded-postgres.js';
import { writerClient } from '../../platform/database/hosts.js';
import { remedyOf } from '../../platform/database/properties/connecting.js';
import { examine } from '../../platform/database/properties/examine.js';
import { EARLIER_SCHEMA, findFaults, isEarlierSchema, MIN_VERSION } from '../../platform/database/properties/faults.js';
import { optionsOf } from '../../platform/database/properties/settings.js';
import { reasonOf } from '../service.js';
import { checkConnections } from './bot-connections.js';
import { type Check, failed, ok, warning } from './check.js';
import { checkKey } from './secret-key.js';

const NAME = 'database';
/** The timeout of the connection and of each query, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** The database as this program sees it. */
export interface Database {
  checks: Check[];
  /** How far its clock is ahead of this machine's, in milliseconds. */
  clockAhead?: number;
  /** Whether it has this organization; undefined if the database isn't available. */
  hasOrganization?: (id: string) => Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Checks the database. If the service responds but no database is configured here, the result is a warning, not a failure.
 */
export async function checkDatabase(environment: NodeJS.ProcessEnv, isServiceUp: boolean): Promise<Database> {
  const directory = environment.DATA_DIR || './data';
  let url: string | null = null;
  try {
    url = environment.DATABASE_URL || (await findEmbeddedPostgres(directory));
  } catch (error) {
    return onlyCheck(failed(NAME, `${directory}: ${reasonOf(error)}`, 'run this as the user of the service'));
  }
  if (url) return inspect(url, environment);
  const nothing = `DATABASE_URL is not set, and no embedded PostgreSQL is running under ${directory}`;
  if (!isServiceUp) return onlyCheck(failed(NAME, nothing, 'start the service: it starts its database too'));
  return onlyCheck(warning(NAME, `left out: ${nothing}`, 'run this where the service runs, with its variables'));
}

async function inspect(url: string, environment: NodeJS.ProcessEnv): Promise<Database> {
  const poolSize = Number(environment.DATABASE_POOL_SIZE) || new Config().DATABASE_POOL_SIZE;
  let close = async (): Promise<void> => undefined;
  try {
    // The constructor throws for a malformed address.
    const client = connectTo(url);
    close = () => client.end().catch(() => undefined);
    await client.connect();
    const { clockAhead, check } = await checkServer(client, url);
    const properties = check.status === 'ok' ? await checkProperties(client, url, poolSize) : [];
    const checks = [
      check,
      ...properties,
      await checkMigrations(client),
      ...(await checkKey(client, environment)),
      ...(await checkSubscriptions(client)),
      ...(await checkSilences(client)),
      ...(await checkConnections(client, environment)),
      ...(await checkRetention(client)),
    ];
    const hasOrganization = async (id: string) =>
      (await client.query('SELECT FROM organizations WHERE id = $1', [id])).rowCount === 1;
    return { checks, clockAhead, hasOrganization, close };
  } catch (error) {
    await close();
    const advice =
      remedyOf(error, url) ||
      'see that PostgreSQL runs and that DATABASE_URL has the right host, user, password and name';
    return onlyCheck(failed(NAME, `PostgreSQL at ${addressOf(url)} said: ${reasonOf(error)}`, advice));
  }
}

async function checkServer(client: pg.Client, url: string): Promise<{ check: Check; clockAhead: number }> {
  const before = Date.now();
  const { rows } = await client.query<{ number: number; version: string; now: Date }>(
    `SELECT current_setting('server_version_num')::integer AS number, current_setting('server_version') AS version,
            clock_timestamp() AS now`,
  );
  const [after, { number, version, now }] = [Date.now(), rows[0]!];
  const detail = `PostgreSQL ${version} at ${addressOf(url)} answers in ${after - before} ms`;
  const check =
    number >= MIN_VERSION ? ok(NAME, detail) : failed(NAME, detail, 'upgrade it: Parley needs PostgreSQL 15 or newer');
  return { check, clockAhead: now.getTime() - (before + after) / 2 };
}

/** With the options that the service sends, whose effect is checked too. */
function connectTo(url: string): pg.Client {
  const options = `${PLANNING} ${NO_TIME_LIMITS} ${optionsOf()}`;
  return writerClient(url, { connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS, options });
}

/** Checks what Parley takes for granted: one line for each fault. */
async function checkProperties(client: pg.Client, url: string, poolSize: number): Promise<Check[]> {
  const name = 'properties';
  const connect = async () => connectTo(url).connect();
  try {
    const faults = findFaults(await examine(client, { poolSize, migrations: MIGRATION_NAMES, connect }));
    if (faults.length === 0)
      return [ok(name, 'encoding, settings, schema, rights, and connections are as Parley needs them')];
    return faults.map(({ isFatal, problem, remedy }) => (isFatal ? failed : warning)(name, problem, remedy));
  } catch (error) {
    return [failed(name, reasonOf(error), 'see that the role may read the catalogs of the database, and run it again')];
  }
}

async function checkMigrations(client: pg.Client): Promise<Check> {
  const name = 'migrations';
  const restart = 'start the service once with this database: it migrates at start';
  let done: string[];
  try {
    done = (await client.query<{ name: string }>('SELECT name FROM migrations')).rows.map((row) => row.name);
  } catch {
    return failed(name, 'the database has no schema of Parley', `${restart}; or correct DATABASE_URL`);
  }
  const missing = MIGRATION_NAMES.filter((migration) => !done.includes(migration));
  const foreign = done.filter((migration) => !MIGRATION_NAMES.includes(migration));
  if (isEarlierSchema(done)) return failed(name, EARLIER_SCHEMA.problem, EARLIER_SCHEMA.remedy);
  if (missing.length === MIGRATION_NAMES.length && foreign.length > 0) {
    return failed(name, 'the database has the schema of something else', 'correct DATABASE_URL');
  }
  if (missing.length > 0) return failed(name, `missing: ${missing.join(', ')}`, restart);
  if (foreign.length === 0) return ok(name, `all ${done.length} are done`);
  return warning(name, `unknown here: ${foreign.join(', ')}`, 'a newer Parley made them: run its version here too');
}

// One lookup per subscription, by the index of waiting deliveries. Without the organization's limit, a bot has an hour.
const COUNT_SUBSCRIPTIONS = `
  SELECT count(*)::integer AS total, count(*) FILTER (WHERE is_forgotten)::integer AS forgotten,
    min(bot) FILTER (WHERE is_forgotten) AS bot, floor(max(seconds) FILTER (WHERE is_forgotten))::integer AS seconds
  FROM (
    SELECT s.bot AS bot, extract(epoch FROM now() - oldest) AS seconds,
      greatest(oldest, COALESCE(polled, oldest)) < now() - make_interval(secs => s.patience) AS is_forgotten
    FROM (SELECT s.bot_id AS bot, s.last_polled_at AS polled, COALESCE(NULLIF(o.bot_silence_seconds, 0), 3600) AS patience,
        (SELECT d.created_at FROM deliveries d
          WHERE d.organization_id = s.organization_id AND d.receiver_id = s.id AND d.outcome IS NULL AND d.due_at IS NULL
          ORDER BY d.position LIMIT 1) AS oldest
      FROM subscriptions s JOIN organizations o ON o.id = s.organization_id WHERE NOT s.is_resting AND o.deleted_at IS NULL) s) AS subscription`;

/** Checks whether bots poll for their events. Returns no check without subscriptions, or if the schema is too old. */
async function checkSubscriptions(client: pg.Client): Promise<Check[]> {
  const name = 'events';
  const found = await client
    .query<{ total: number; forgotten: number; bot: string | null; seconds: number | null }>(COUNT_SUBSCRIPTIONS)
    .catch(() => null);
  const { total, forgotten, bot, seconds } = found?.rows[0] ?? { total: 0, forgotten: 0, bot: null, seconds: null };
  if (total === 0) return [];
  if (forgotten === 0)
    return [ok(name, `${total === 1 ? 'the bot that fetches its events does' : `${total} bots fetch their events`}`)];
  const detail = `events have waited for up to ${seconds} s for ${forgotten} of ${total} bots that did not call since (${bot})`;
  return [warning(name, detail, 'start the bot; or delete its subscription: DELETE /api/bot/subscription')];
}

const COUNT_SILENCES = `
  SELECT count(*)::integer AS chats, floor(extract(epoch FROM now() - min(since)))::integer AS seconds, min(chat_id) AS chat
  FROM bot_silences s WHERE ${sqlIsOfExisting('s')}`;
const COUNT_FAILING = `
  SELECT count(*)::integer AS webhooks, min(r.id) AS webhook FROM receivers r
  JOIN webhook_lanes l ON l.organization_id = r.organization_id AND l.webhook_id = r.id
  JOIN organizations o ON o.id = r.organization_id
  WHERE o.deleted_at IS NULL
    AND (r.events IS NULL OR 'message.created' = ANY (r.events)) AND (r.sender_types IS NULL OR 'VISITOR' = ANY (r.sender_types))
    AND (r.disabled_reason IS NOT NULL AND NOT r.is_enabled
      OR l.failing_since < now() - make_interval(secs => COALESCE(NULLIF(o.bot_silence_seconds, 0), 3600)))`;

/** Warns of bots and webhooks that don't take visitors' messages. Returns no check if all do, or if the schema is too old. */
async function checkSilences(client: pg.Client): Promise<Check[]> {
  const name = 'bots';
  type Found = { chats: number; seconds: number | null; chat: string | null };
  const silences = await client.query<Found>(COUNT_SILENCES).catch(() => null);
  const failing = await client.query<{ webhooks: number; webhook: string | null }>(COUNT_FAILING).catch(() => null);
  if (!silences || !failing) return [];
  const [{ chats, seconds, chat }, { webhooks, webhook }] = [silences.rows[0]!, failing.rows[0]!];
  const advice = 'start the bot, or see what its webhook answers: npx parley delivery list --webhook whk_…';
  if (chats > 0)
    return [warning(name, `no bot has taken the message in ${chats} chats, for up to ${seconds} s (${chat})`, advice)];
  if (webhooks > 0) return [warning(name, `${webhooks} webhooks take no messages of visitors (${webhook})`, advice)];
  return [];
}

/** After how long data that's too old counts as late, in hours. Passes begin every 10 to 15 minutes. */
const RETENTION_GRACE_HOURS = 24;

// The oldest 500 chats of an organization, by their ids, which sort by time.
const FIND_OVERDUE = `
  SELECT o.id, floor(extract(epoch FROM now() - oldest.used) / 86400 - o.retention_days)::integer AS days
  FROM organizations o CROSS JOIN LATERAL (
    SELECT min(used) AS used FROM (
      SELECT COALESCE(c.last_message_at, c.created_at) AS used FROM chats c WHERE c.organization_id = o.id ORDER BY c.id LIMIT 500
    ) AS chat) AS oldest
  WHERE o.retention_days IS NOT NULL AND o.deleted_at IS NULL
    AND oldest.used < now() - make_interval(days => o.retention_days, hours => ${RETENTION_GRACE_HOURS})
  ORDER BY 2 DESC`;

/** Warns of chats that retention should have removed. Returns no check if there are none, or if the schema is too old. */
async function checkRetention(client: pg.Client): Promise<Check[]> {
  const found = await client.query<{ id: string; days: number }>(FIND_OVERDUE).catch(() => null);
  const [worst] = found?.rows ?? [];
  if (!worst) return [];
  const detail = `chats of ${found!.rowCount} organizations are kept too long, by up to ${worst.days} days (${worst.id})`;
  const advice =
    'wait if parley_retention_removed_total grows; otherwise the log says "what is too old was not removed" and why; a drill removes nothing';
  return [warning('retention', detail, advice)];
}

function onlyCheck(check: Check): Database {
  return { checks: [check], close: async () => undefined };
}
