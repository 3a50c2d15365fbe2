import { SETTINGS } from './settings.js';

/** A property of the server, database, role, or connection, and why Parley works with each value of it. */
interface Property {
  name: string;
  /** `set` on each connection, `checked` at the start and by `parley doctor`, or `irrelevant`. */
  how: 'set' | 'checked' | 'irrelevant';
  meaning: string;
}

const set = (name: string, meaning: string): Property => ({ name, how: 'set', meaning });
const checked = (name: string, meaning: string): Property => ({ name, how: 'checked', meaning });
const irrelevant = (name: string, meaning: string): Property => ({ name, how: 'irrelevant', meaning });

const SET = Object.entries(SETTINGS as Record<string, { value: string; why: string }>).map(([name, { value, why }]) =>
  set(`\`${name}\``, `\`${value}\`. ${why}`),
);

/** Everything about a database that could matter. @public scripts/reference/properties.mjs reads it from the build */
export const PROPERTIES: readonly Property[] = [
  ...SET,
  set('`client_encoding`', '`UTF8`, by the driver.'),
  set('`search_path`', 'The schema that it leads to at the start, and temporary tables last.'),
  set(
    '`synchronous_commit`',
    '`on` where it is `off`: a message that was answered 200 is on the disk. Other values stay.',
  ),
  set('`statement_timeout`, `idle_in_transaction_session_timeout`', "Parley's own limits; none for migrations."),
  set('`enable_seqscan`, `jit`, `plan_cache_mode`', 'Plans that fit small and large tables.'),
  set('`default_table_access_method`, `check_function_bodies`', '`heap` and `on`, for migrations.'),
  checked('version', 'Stops below PostgreSQL 15.'),
  checked('encoding of the database', 'Stops unless it is UTF8.'),
  checked('`default_transaction_read_only`, standby', 'Stops: nothing could be stored.'),
  checked('`session_replication_role`', "Stops unless it is `origin`: triggers wouldn't run."),
  checked(
    'schema',
    "Stops if `search_path` leads to no schema, to one with another program's tables, or past Parley's tables.",
  ),
  checked('right to create tables', 'Stops if a migration needs it, warns otherwise.'),
  checked('rights', 'Stops if the role may not use a table, sequence, or function.'),
  checked('owner', "Stops if a migration has to change what the role doesn't own, warns otherwise."),
  checked('tables, sequences, functions', 'Stops if one is missing, or if a table is `UNLOGGED`.'),
  checked('row-level security', 'Stops if it applies to the role.'),
  checked('triggers', "Stops if one of Parley's is disabled, warns of others."),
  checked(
    'connections',
    'Stops if the server, database, or role allows fewer than `DATABASE_POOL_SIZE` + 4. Not behind a pooler.',
  ),
  checked(
    'pooler',
    "Stops if it loses named statements, rejects start-up options, or ignores a setting that isn't right without them.",
  ),
  checked(
    '`fsync`, `full_page_writes`, `synchronous_commit = local`',
    'Warns: a crash or a failover can lose messages.',
  ),
  checked('rules of order', "Warns if the operating system's have changed since the indexes were made."),
  checked(
    'everything that a message needs',
    'Stops if storing an organization, a message, its event, and a transfer fails. All is rolled back.',
  ),
  irrelevant('locale (libc, ICU, C)', 'Ids and keys are compared byte by byte.'),
  irrelevant(
    '`quote_all_identifiers`, `xmlbinary`, `default_text_search_config`',
    'Parley uses no function that depends on them.',
  ),
  irrelevant('`escape_string_warning`, `backslash_quote`', 'No statement has a backslash in a string.'),
  irrelevant('`default_transaction_deferrable`', 'It applies to serializable transactions only.'),
  irrelevant('`plpgsql.variable_conflict`', 'No name in a function is ambiguous.'),
  irrelevant('extensions', 'None is needed. Ids are made in the service.'),
  irrelevant('`default_tablespace`, `temp_tablespaces`', 'Tables may be on any disk.'),
  irrelevant('`max_prepared_transactions`', 'Only a Citus cluster needs it.'),
  irrelevant('superuser', "The role needn't be one."),
];
