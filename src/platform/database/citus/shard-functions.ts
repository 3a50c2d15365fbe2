/** Runs a statement and returns its rows. */
type Query = <T>(text: string, values?: unknown[]) => Promise<T[]>;

/** A function that stores rows of several organizations. */
interface FunctionOfSeveral {
  name: string;
  definition: string;
  inputs: string[];
  outputs: string[];
  hasVariant: boolean;
}

const FUNCTIONS_OF_SEVERAL = `
  SELECT p.proname AS name, pg_get_functiondef(p.oid) AS definition,
    p.proargnames[1:p.pronargs] AS inputs, p.proargnames[p.pronargs + 1:] AS outputs,
    EXISTS (SELECT FROM pg_proc v WHERE v.oid = to_regproc(p.proname || '_of_shard') AND v.prosrc LIKE '%lock_shard%') AS "hasVariant"
  FROM pg_proc p
  WHERE p.pronamespace = 'public'::regnamespace AND p.proname ~ '_[0-9]+$' AND p.proname !~ '_at_[0-9]+$'
    AND p.proargnames[1] = 'organization_ids'`;

/** The definitions of the functions about several organizations that the cluster still needs. */
export async function listShardFunctions(query: Query): Promise<string[]> {
  const definitions = await listVariants(query);
  const [{ isMissing }] = (await query(LOCKS_SHARD)) as [{ isMissing: boolean }];
  if (isMissing) definitions.push(LOCK_SHARD);
  for (const { name, definition } of await query<FunctionOfSeveral>(FUNCTIONS_OF_SEVERAL)) {
    const shards = await query<Shard>(SHARDS_WITHOUT, [name]);
    definitions.push(...shards.map((shard) => atShard(name, definition, shard)));
  }
  return definitions;
}

/**
 * The definitions of the functions that the service calls instead of those about several organizations. They replace the functions of a
 * cluster that an earlier commit distributed, which never use a shard's own tables.
 */
export async function listVariants(query: Query): Promise<string[]> {
  const functions = await query<FunctionOfSeveral>(FUNCTIONS_OF_SEVERAL);
  return functions.filter(({ hasVariant }) => !hasVariant).map(ofShard);
}

/**
 * The variant for the organizations of one shard, its second argument. It runs on the worker with the shard of its first argument, one of
 * them. If that worker has the shard and the variant that uses its tables, it calls that. Otherwise, Citus plans each statement at every call,
 * which costs several times as much: while the shard is being moved, or since it was divided, until a node starts.
 */
function ofShard({ name, definition, inputs, outputs }: FunctionOfSeveral): string {
  const values = inputs.map((_, index) => `$${index + 1}`).join(', ');
  const callVariant = `
  DECLARE
    variant text := '${name}_at_' || lock_shard(organizations);
  BEGIN
    IF to_regproc(variant) IS NOT NULL THEN
      EXECUTE format('SELECT * FROM %I(${values})', variant) INTO ${outputs.join(', ')} USING ${inputs.join(', ')};
      RETURN;
    END IF;
  END;`;
  return (
    definition
      .replace(`${name}(`, `${name}_of_shard(organization text, organizations text[], `)
      // Citus passes no parameters to this part of a statement. Keys live for a day.
      .replace(
        'WHERE k.created_at <= keys_expire_before',
        `WHERE excluded.created_at - k.created_at >= interval '24 hours'`,
      )
      // Citus finds the shard if each table's `organization_id` is compared with an array whose values are all on one shard.
      .replaceAll(
        /\b(\w+\.organization_id) = \w+\.organization_id\b/g,
        (condition, column: string) => `(${condition} AND ${column} = ANY (organizations))`,
      )
      .replace('\nBEGIN\n', `\nBEGIN${callVariant}\n`)
  );
}

interface Shard {
  shard: string;
  /** The names of the shard's tables, by their names. */
  tables: Record<string, string>;
}

const SHARDS_WITHOUT = `
  SELECT g.shardid AS shard, (
    SELECT json_object_agg(s.logicalrelid, s.logicalrelid || '_' || s.shardid) FROM pg_dist_shard s
    JOIN pg_dist_partition p ON p.logicalrelid = s.logicalrelid
    WHERE p.colocationid = own.colocationid AND s.shardminvalue = g.shardminvalue
  ) AS tables
  FROM pg_dist_shard g JOIN pg_dist_partition own ON own.logicalrelid = g.logicalrelid
  WHERE g.logicalrelid = 'groups'::regclass AND own.partmethod = 'h' AND to_regproc($1 || '_at_' || g.shardid) IS NULL`;

// Reads and writes the tables of a shard by their own names. PostgreSQL plans these statements once, as on a server
// of its own, because Citus doesn't take part.
function atShard(name: string, definition: string, { shard, tables }: Shard): string {
  return definition
    .replace(`${name}(`, `${name}_at_${shard}(`)
    .replaceAll(/\b(FROM|JOIN|UPDATE|INTO) (\w+)\b/g, (text, word: string, table: string) =>
      tables[table] ? `${word} ${tables[table]}` : text,
    )
    .replace(
      'AS $function$',
      `SET citus.enable_manual_changes_to_shards = on SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $function$`,
    );
}

const LOCKS_SHARD = `SELECT to_regproc('lock_shard') IS NULL AS "isMissing"`;

// Returns the shard that all of these organizations are on, if this node has it, and keeps it here until the commit: with the lock that
// Citus takes for writes, which a move of the shard waits for. It looks where the shard is once it has the lock,
// because a move may have ended while it waited.
const LOCK_SHARD = `
  CREATE FUNCTION lock_shard(organizations text[]) RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE
    share_lock CONSTANT integer := 5;
    shard bigint := get_shard_id_for_distribution_column('groups', organizations[1]);
  BEGIN
    PERFORM lock_shard_metadata(share_lock, ARRAY[shard]);
    IF EXISTS (SELECT FROM pg_dist_placement p JOIN pg_dist_local_group l ON l.groupid = p.groupid WHERE p.shardid = shard)
      AND (SELECT bool_and(get_shard_id_for_distribution_column('groups', o.id) = shard) FROM unnest(organizations) AS o (id))
    THEN
      RETURN shard;
    END IF;
    RETURN NULL;
  END $$`;
