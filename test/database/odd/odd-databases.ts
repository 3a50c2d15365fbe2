import type { OddDatabase } from './odd-database.js';

const ICU = `SELECT FROM pg_collation WHERE collprovider = 'i' LIMIT 1`;
/** Another program's role, which owns what it restored. */
const RESTORED = `
  CREATE ROLE other_$role; ALTER SCHEMA public OWNER TO other_$role; REASSIGN OWNED BY $role TO other_$role;
  ALTER DATABASE $db OWNER TO $role; GRANT ALL ON SCHEMA public TO $role`;
const setting = (text: string) => `ALTER ROLE $role SET ${text}`;

/** What a role may set. Parley sets it too, or doesn't depend on it. */
const SETTINGS: Record<string, string[]> = {
  client_encoding: ["client_encoding = 'LATIN1'"],
  'serializable transactions': [
    "default_transaction_isolation = 'serializable'",
    'default_transaction_deferrable = on',
  ],
  'German dates': ["DateStyle = 'German, DMY'"],
  'ISO intervals': ["IntervalStyle = 'iso_8601'"],
  'a zone with half hours': ["TimeZone = 'Asia/Kathmandu'"],
  'escaped bytea': ["bytea_output = 'escape'"],
  'fewer digits': ['extra_float_digits = -15'],
  'backslashes in strings': [
    'standard_conforming_strings = off',
    "backslash_quote = 'off'",
    'escape_string_warning = off',
  ],
  'no NULL in arrays': ['array_nulls = off', 'transform_null_equals = on'],
  'other texts': [
    'quote_all_identifiers = on',
    "default_text_search_config = 'pg_catalog.turkish'",
    "xmlbinary = 'hex'",
  ],
  'short time limits': [
    "statement_timeout = '1ms'",
    "lock_timeout = '1ms'",
    "idle_session_timeout = '50ms'",
    "idle_in_transaction_session_timeout = '5ms'",
  ],
  'no index scans': ['enable_indexscan = off', 'enable_bitmapscan = off', 'enable_nestloop = off', 'enable_sort = off'],
  'other functions': ['check_function_bodies = off', "plpgsql.variable_conflict = 'use_variable'"],
  'commits that do not wait': ['synchronous_commit = off'],
  JIT: ['jit = on', 'jit_above_cost = 0', "plan_cache_mode = 'force_custom_plan'"],
};

const settingsRow = (name: string, settings: string[]): OddDatabase => ({
  name,
  sql: settings.map(setting).join('; '),
  expect: 'works',
});

/** A row for each of them, and one for all together. */
export const ODD_SETTINGS: OddDatabase[] = Object.entries(SETTINGS).map(([name, settings]) =>
  settingsRow(name, settings),
);
export const ALL_SETTINGS: OddDatabase = settingsRow('settings of the role', Object.values(SETTINGS).flat());

/** One row for each kind of installation that people have. */
export const ODD_DATABASES: OddDatabase[] = [
  // Encodings and locales
  { name: 'UTF8, C', options: `TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'`, expect: 'works' },
  { name: 'UTF8, C.UTF-8', options: `TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'`, expect: 'works' },
  {
    name: 'UTF8, ICU in Turkish',
    options: `TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR'`,
    needs: ICU,
    expect: 'works',
  },
  {
    name: 'UTF8, ICU in German',
    options: `TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'de-DE'`,
    needs: ICU,
    expect: 'works',
  },
  ...['LATIN1', 'SQL_ASCII', 'EUC_JP', 'WIN1252'].map((encoding) => ({
    name: encoding,
    options: `TEMPLATE template0 ENCODING '${encoding}' LOCALE 'C'`,
    expect: new RegExp(
      String.raw`^DATABASE_URL: the database \$db has the encoding ${encoding}; create it with ENCODING 'UTF8'$`,
    ),
  })),
  // Settings
  {
    name: 'settings of the database',
    sql: `ALTER DATABASE $db SET default_transaction_isolation = 'serializable'; ALTER DATABASE $db SET array_nulls = off`,
    expect: 'works',
  },
  {
    name: 'short transactions',
    sql: setting(`transaction_timeout = '500ms'`),
    needs: `SELECT FROM pg_settings WHERE name = 'transaction_timeout'`,
    expect: 'works',
  },
  {
    name: 'read-only',
    sql: setting('default_transaction_read_only = on'),
    expect:
      /accepts no writes: default_transaction_read_only is on for the server, the database, or the role \$role; RESET it/,
  },
  {
    name: 'without triggers',
    sql: setting(`session_replication_role = 'replica'`),
    expect: /^DATABASE_URL: session_replication_role is replica.*; ALTER ROLE \$role RESET session_replication_role/,
  },
  // Schemas
  {
    name: 'another schema',
    sql: `CREATE SCHEMA "My schema" AUTHORIZATION $role; ${setting('search_path = "My schema", public')}`,
    expect: 'works',
  },
  {
    name: 'a schema with the name of the role',
    sql: 'CREATE SCHEMA AUTHORIZATION $role',
    expect: 'works',
  },
  {
    name: 'a schema in DATABASE_URL',
    sql: 'CREATE SCHEMA inbox AUTHORIZATION $role',
    url: (url) => `${url}?options=-csearch_path%3Dinbox`,
    expect: 'works',
  },
  { name: 'no public', sql: 'DROP SCHEMA public; CREATE SCHEMA AUTHORIZATION $role', expect: 'works' },
  {
    name: 'a table of the same name later in the path',
    sql: `CREATE SCHEMA AUTHORIZATION $role; CREATE TABLE public.chats (id text); CREATE TABLE public.webhooks (id text)`,
    expect: 'works',
  },
  {
    name: "another program's table",
    sql: 'CREATE TABLE groups (id integer); ALTER TABLE groups OWNER TO $role',
    expect:
      /^DATABASE_URL: the table public\.groups is another program's; give Parley a database of its own: CREATE DATABASE/,
  },
  {
    name: "another program's migrations",
    sql: 'CREATE TABLE migrations (id serial, migration text, batch integer); GRANT ALL ON migrations TO $role',
    expect: /^DATABASE_URL: the table public\.migrations is another program's/,
  },
  {
    name: 'the schema of an earlier commit',
    sql: `CREATE TABLE migrations (id serial, timestamp bigint, name text); INSERT INTO migrations (timestamp, name)
      VALUES (1766194001000, 'Organizations1766194001000'); CREATE TABLE groups (id text); GRANT ALL ON migrations TO $role`,
    expect:
      /^DATABASE_URL: a commit before the first release made its schema, and no release can upgrade that; give Parley an/,
  },
  {
    name: 'a schema of the role that came later',
    afterwards: 'CREATE SCHEMA AUTHORIZATION $role',
    expect:
      /^DATABASE_URL: search_path .* leads to the schema \$role, but Parley's tables are in public; ALTER ROLE \$role SET/,
  },
  {
    name: 'no schema',
    sql: setting('search_path = missing'),
    expect:
      /^DATABASE_URL: search_path \(missing\) leads to no schema that the role \$role may use; GRANT USAGE, CREATE/,
  },
  {
    name: 'temporary tables first',
    sql: setting('search_path = pg_temp, public'),
    expect: /^DATABASE_URL: search_path \(pg_temp, public\) leads to no schema that the role \$role may use; GRANT/,
  },
  {
    name: 'no right to create',
    sql: 'ALTER SCHEMA public OWNER TO CURRENT_USER; ALTER DATABASE $db OWNER TO CURRENT_USER',
    expect:
      /^DATABASE_URL: the role \$role may not create tables in the schema public; GRANT CREATE ON SCHEMA public TO/,
  },
  // Rights
  {
    name: 'restored by another role, without rights',
    afterwards: RESTORED,
    expect:
      /^DATABASE_URL: the role \$role has no right to use \w+ \(and \d+ more\); as a superuser: REASSIGN OWNED BY other_\$role TO \$role/,
  },
  {
    name: 'restored by another role, with rights to the tables',
    afterwards: `${RESTORED}; GRANT ALL ON ALL TABLES IN SCHEMA public TO $role`,
    expect:
      /^DATABASE_URL: the role \$role has no right to use the sequence change_epoch \(and 2 more\); as a superuser: REASSIGN OWNED BY/,
  },
  {
    name: 'restored by another role, with all rights',
    afterwards: `${RESTORED}; GRANT ALL ON ALL TABLES IN SCHEMA public TO $role; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO $role`,
    expect: 'works',
  },
  {
    name: 'the same before a migration',
    afterwards: `${RESTORED}; GRANT ALL ON ALL TABLES IN SCHEMA public TO $role; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO $role;
      DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations)`,
    expect:
      /^DATABASE_URL: the role \$role isn't the owner of \w+ \(and \d+ more\), so it can't change them for this release/,
  },
  {
    name: 'a table of a member role',
    afterwards: `${RESTORED}; GRANT other_$role TO $role`,
    expect: 'works',
  },
  {
    name: 'a function without rights',
    afterwards: 'REVOKE ALL ON FUNCTION append_messages_1 FROM PUBLIC, $role',
    expect: /has no right to use the function append_messages_1; GRANT ALL ON FUNCTION append_messages_1 TO \$role/,
  },
  {
    name: 'SET ROLE',
    sql: `CREATE ROLE other_$role; GRANT other_$role TO $role; GRANT ALL ON SCHEMA public TO other_$role; ${setting('role = other_$role')}`,
    expect: 'works',
  },
  {
    name: 'row-level security',
    afterwards: 'ALTER TABLE chats ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY',
    expect: /^DATABASE_URL: row-level security hides rows of chats from the role \$role; ALTER TABLE chats DISABLE/,
  },
  {
    name: 'half of a restore',
    afterwards: 'DROP TABLE note_mentions, webhook_lanes CASCADE',
    expect: /^DATABASE_URL: it has no note_mentions \(and 1 more\); restore the whole dump/,
  },
  {
    name: 'a lost sequence',
    afterwards: 'DROP SEQUENCE deliveries_position CASCADE',
    expect: /^DATABASE_URL: it has no deliveries_position; restore the whole dump/,
  },
  {
    name: 'a disabled trigger',
    afterwards: 'ALTER TABLE chats DISABLE TRIGGER USER',
    expect: /^DATABASE_URL: the trigger \w+ of chats is disabled; ALTER TABLE chats ENABLE TRIGGER ALL/,
  },
  {
    name: "another program's trigger",
    afterwards: `CREATE FUNCTION count_all() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN RETURN NEW; END $f$;
      CREATE TRIGGER count_all BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION count_all()`,
    expect: 'works',
  },
  {
    name: "another program's trigger that fails",
    afterwards: `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN RAISE EXCEPTION 'not allowed here'; END $f$;
      CREATE TRIGGER fail BEFORE INSERT ON deliveries FOR EACH ROW EXECUTE FUNCTION fail()`,
    expect: /^DATABASE_URL: the database refuses a part of the work: not allowed here$/,
  },
  {
    name: 'an unlogged table',
    afterwards: 'ALTER TABLE idempotency_keys SET UNLOGGED',
    expect: /^DATABASE_URL: a crash of the server empties idempotency_keys; ALTER TABLE idempotency_keys SET LOGGED/,
  },
  // Connections
  {
    name: 'few connections of the role',
    sql: 'ALTER ROLE $role CONNECTION LIMIT 3',
    expect:
      /^DATABASE_URL: the role \$role may have 3 connections, and Parley needs 24 .*; set DATABASE_POOL_SIZE lower, or ALTER ROLE/,
  },
  {
    name: 'few connections of the database',
    sql: 'ALTER DATABASE $db CONNECTION LIMIT 10',
    expect:
      /^DATABASE_URL: the database \$db may have 10 connections, and Parley needs 24 .*ALTER DATABASE \$db CONNECTION LIMIT -1/,
  },
];
