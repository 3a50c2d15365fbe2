import type { QueryRunner } from 'typeorm';
import { tablesAt } from '../tenant-tables.js';
import { listShardFunctions } from './shard-functions.js';

/** Runs a statement and returns its rows. */
type Query = <T>(text: string, values?: unknown[]) => Promise<T[]>;

const HAS_CITUS = `SELECT FROM pg_extension WHERE extname = 'citus'`;
const HAS_WORKERS = `SELECT FROM pg_dist_node WHERE groupid > 0 AND noderole = 'primary' LIMIT 1`;

/** Whether the database is the coordinator of a Citus cluster. An extension without workers changes nothing. */
export async function isCluster(query: Query): Promise<boolean> {
  return (await query(HAS_CITUS)).length > 0 && (await query(HAS_WORKERS)).length > 0;
}

/**
 * Prepares the session of migrations for a cluster. Triggers use only rows with the organization_id of their own row, so they run on its
 * shard. Foreign keys to reference tables need one connection to each worker. It does nothing on one PostgreSQL.
 */
export async function prepareSession(query: Query): Promise<void> {
  if (!(await isCluster(query))) return;
  await query('SET citus.enable_ddl_propagation = on');
  await query('SET citus.enable_unsafe_triggers = on');
  await query(`SET citus.multi_shard_modify_mode = 'sequential'`);
}

/**
 * Distributes the tables that aren't distributed yet, in one transaction, with their rows, and the functions. It does nothing on one
 * PostgreSQL. Everything else that uses these tables waits until the commit.
 */
export async function distribute(runner: QueryRunner): Promise<void> {
  const query: Query = (text, values) => runner.query(text, values) as Promise<never>;
  if (!(await isCluster(query))) return;
  const reference = await listMissing(query, tablesAt('reference'));
  const distributed = await listMissing(query, tablesAt('distributed'));
  const local = (await query<{ name: string }>(UNKNOWN_LOCALS)).map(({ name }) => name);
  const functions = [
    ...(await query(LOCAL_FUNCTIONS)),
    ...(await query(GENERIC_FUNCTIONS)),
    ...(await listShardFunctions(query)),
  ];
  const [epochs] = await query<{ source: string }>(EPOCH_SOURCE);
  const hasOwnEpochs = epochs === undefined || epochs.source.includes(READERS);
  const tables = [...reference, ...distributed, ...local];
  if (tables.length + functions.length === 0 && hasOwnEpochs) return;
  await runner.startTransaction();
  try {
    await query(SET_SHARD_COUNT, [SHARDS_OF_WORKER]);
    const keys = await dropForeignKeys(query, tables);
    if (distributed.includes(FIRST)) for (const statement of ADAPT) await query(statement);
    if (!hasOwnEpochs) await query(CHANGE_EPOCH_OF);
    for (const table of reference) await query('SELECT create_reference_table($1)', [table]);
    for (const table of [FIRST, ...distributed.filter((name) => name !== FIRST)]) {
      if (distributed.includes(table)) await query(DISTRIBUTE, [table, table === FIRST ? 'none' : FIRST]);
    }
    for (const table of [...reference, ...distributed]) await query(REMOVE_LOCAL_ROWS, [table]);
    for (const key of keys) await query(key);
    for (const definition of await listShardFunctions(query)) await query(definition);
    for (const { signature } of await query<LocalFunction>(GENERIC_FUNCTIONS)) await query(planWithValues(signature));
    for (const { signature, isRouted } of await query<LocalFunction>(LOCAL_FUNCTIONS)) {
      await query(isRouted ? ROUTE_FUNCTION : COPY_FUNCTION, [signature]);
    }
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

/** The first distributed table. The others keep an organization's rows beside its rows. */
const FIRST = 'groups';
const DISTRIBUTE = `SELECT create_distributed_table($1, 'organization_id', colocate_with => $2)`;

/** Organizations on one shard share calls. With more shards, calls store fewer messages, so each costs more. */
const SHARDS_OF_WORKER = 4;
const SET_SHARD_COUNT = `
  SELECT set_config('citus.shard_count', (count(*) * $1)::text, true) FROM pg_dist_node
  WHERE groupid > 0 AND noderole = 'primary' AND (SELECT source = 'default' FROM pg_settings WHERE name = 'citus.shard_count')
  HAVING count(*) > 0`;

// The rows are on the workers; the coordinator's own copy is never read again.
const REMOVE_LOCAL_ROWS = 'SELECT truncate_local_data_after_distributing_table($1)';

// Without the triggers, the transactions of the service alone keep one default group in each organization. The sequence has another
// range on each worker, so a moved shard would get lower positions: the time is put before the sequence's last 12 bits. It increases
// within a session, and a chat's lock is passed on much later than that.
const ADAPT = [
  'DROP TRIGGER IF EXISTS organizations_default_group ON organizations',
  'DROP TRIGGER IF EXISTS groups_default_group ON groups',
  'DROP TRIGGER IF EXISTS groups_truncate ON groups',
  `ALTER TABLE deliveries ALTER COLUMN position SET DEFAULT nextval('deliveries_position')`,
  `CREATE OR REPLACE FUNCTION position_by_time() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    last bigint := COALESCE(NULLIF(current_setting('parley.last_position', true), ''), '0')::bigint;
    micros bigint := extract(epoch FROM clock_timestamp() - timestamptz '2025-01-01 00:00Z') * 1000000;
  BEGIN
    micros := greatest(micros, last + 1);
    PERFORM set_config('parley.last_position', micros::text, false);
    NEW.position := (micros << 12) | (NEW.position & 4095);
    RETURN NEW;
  END $$`,
  `CREATE OR REPLACE TRIGGER deliveries_position_by_time BEFORE INSERT ON deliveries
    FOR EACH ROW EXECUTE FUNCTION position_by_time()`,
];

// A worker can't read the coordinator's sequence. So each organization has its own epoch, in a row of change_readers without a name,
// which moves with its shard (decision 23). A volatile function reads it past the snapshot of the statement, and from the shard's own
// table, because each message reads it: through Citus, that takes longer than everything else of the message.
const EPOCH_SOURCE = `SELECT prosrc AS source FROM pg_proc WHERE oid = to_regprocedure('change_epoch_of(text)')`;
const READERS = 'change_readers';
const CHANGE_EPOCH_OF = `
  CREATE OR REPLACE FUNCTION change_epoch_of(organization text) RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE
    own_table text := '${READERS}_' || get_shard_id_for_distribution_column('${READERS}', organization);
    epoch bigint;
  BEGIN
    EXECUTE format('SELECT r.epoch FROM %I r WHERE r.organization_id = $1 AND r.name = $2',
      CASE WHEN to_regclass(own_table) IS NULL THEN '${READERS}' ELSE own_table END) INTO epoch USING organization, '';
    RETURN epoch;
  END $$`;

/** A function that the workers don't have, or that isn't sent to them. */
interface LocalFunction {
  signature: string;
  /** Whether a call goes to the worker with the shard of the organization, its first argument. */
  isRouted: boolean;
}

// The service calls functions with a number in their name, and triggers and other functions call the rest. Citus itself copies the
// functions of triggers.
const LOCAL_FUNCTIONS = `
  SELECT f.signature, f.is_routed AS "isRouted" FROM (
    SELECT p.oid, p.oid::regprocedure::text AS signature,
      p.proname ~ '_[0-9]+(_of_shard|_of_one)?$' AND p.proargnames[1] = 'organization' AS is_routed
    FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prokind = 'f' AND p.prorettype <> 'trigger'::regtype
      AND (p.proargnames[1] = 'organization' OR p.proname = 'lock_shard' OR p.proname ~ '_at_[0-9]+$')
  ) AS f
  WHERE NOT EXISTS (SELECT FROM pg_dist_object o WHERE o.classid = 'pg_proc'::regclass AND o.objid = f.oid
    AND (NOT f.is_routed OR o.distribution_argument_index IS NOT NULL))
  ORDER BY f.signature`;
const ROUTE_FUNCTION = `SELECT create_distributed_function($1, 'organization', colocate_with => '${FIRST}')`;
const COPY_FUNCTION = 'SELECT create_distributed_function($1)';

// Functions that triggers call also run in functions whose plans are generic, which Citus refuses.
const GENERIC_FUNCTIONS = `
  SELECT p.oid::regprocedure::text AS signature FROM pg_proc p
  WHERE p.pronamespace = 'public'::regnamespace AND p.proargnames[1] = 'organization' AND p.proname !~ '_[0-9]+(_of_shard|_of_one)?$'
    AND p.proconfig IS NULL`;
const planWithValues = (signature: string) => `ALTER FUNCTION ${signature} SET plan_cache_mode = force_custom_plan`;

// A migration creates a local table without Citus, so its keys refer to the coordinator's empty copy of a reference table. Citus takes over the
// table when its keys are added again.
const UNKNOWN_LOCALS = `
  SELECT DISTINCT conrelid::regclass::text AS name FROM pg_constraint
  WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND confrelid IN (SELECT logicalrelid FROM pg_dist_partition)
    AND conrelid NOT IN (SELECT logicalrelid FROM pg_dist_partition) AND conrelid::regclass::text !~ '_[0-9]+$'`;

/** The tables of the list that exist and have no place on the cluster yet. */
async function listMissing(query: Query, tables: string[]): Promise<string[]> {
  const rows = await query<{ name: string }>(
    `SELECT t.relname AS name FROM pg_class t WHERE t.oid = ANY (ARRAY(SELECT to_regclass(name) FROM unnest($1::text[]) AS name))
      AND NOT EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = t.oid AND p.partmethod IN ('h', 'n')
        AND NOT EXISTS (SELECT FROM citus_tables c WHERE c.table_name = t.oid AND c.citus_table_type = 'local'))
    ORDER BY t.relname`,
    [tables],
  );
  return rows.map(({ name }) => name);
}

/**
 * Drops the foreign keys from and to these tables, because no table may refer to one at another place. Returns the statements that add
 * them again.
 */
async function dropForeignKeys(query: Query, tables: string[]): Promise<string[]> {
  const keys = await query<{ table: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE contype = 'f' AND (conrelid = ANY ($1::text[]::regclass[]) OR confrelid = ANY ($1::text[]::regclass[]))`,
    [tables],
  );
  for (const { table, name } of keys) await query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  // Citus refuses actions that set a part of a key with `organization_id`. The service sets the column itself.
  return keys.map(
    ({ table, name, definition }) =>
      `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition.replace(/ ON DELETE SET NULL \(\w+\)/, '')}`,
  );
}
