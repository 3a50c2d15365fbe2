import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MIGRATION_NAMES, migrationDataSource } from '../../src/platform/database/data-source.js';
import { migrate, migrateOnce } from '../../src/platform/database/migrate.js';
import { createClusterDatabase } from '../support/cluster.js';
import { queryOnce, type TestDatabase } from '../support/database.js';
import { Parley } from '../support/parley.js';

/** The last migration of the first schema. Every later one may run on distributed tables. */
const LAST = 'Reaching1766270006000';

const TABLES = `
  SELECT table_name::text AS name, citus_table_type AS place, distribution_column AS column FROM citus_tables ORDER BY 1`;
// A number of a shard ends the names of its functions.
const FUNCTIONS = `
  SELECT regexp_replace(p.proname, '_at_[0-9]+$', '_at') AS name, p.proconfig AS settings, o.distribution_argument_index AS argument FROM pg_dist_object o JOIN pg_proc p ON p.oid = o.objid
  WHERE o.classid = 'pg_proc'::regclass AND p.pronamespace = 'public'::regnamespace ORDER BY 1`;
// Shards have names of their own.
const COLUMNS = `
  SELECT c.table_name, c.column_name, c.data_type, c.is_nullable, c.column_default FROM information_schema.columns c
  WHERE c.table_schema = 'public' AND c.table_name !~ '_[0-9]+$' ORDER BY 1, 2`;
// Of tables and of their shards. A shard's number ends its name, and the name of a key that was added later.
const WITHOUT_NUMBER = (text: string) => `regexp_replace(${text}, '_[0-9]{6,}', '', 'g')`;
const KEYS = `
  SELECT DISTINCT ${WITHOUT_NUMBER('conrelid::regclass::text')} AS table, ${WITHOUT_NUMBER('conname')} AS name,
    ${WITHOUT_NUMBER('pg_get_constraintdef(oid)')} AS definition
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2, 3`;
const TRIGGERS = `
  SELECT tgrelid::regclass::text AS table, tgname AS name FROM pg_trigger
  WHERE NOT tgisinternal AND tgrelid::regclass::text !~ '_[0-9]+$' AND tgname !~ '_[0-9]+$' ORDER BY 1, 2`;
const INDEXES = `
  SELECT tablename, indexname FROM pg_indexes WHERE schemaname = 'public' AND indexname !~ '_[0-9]+$' ORDER BY 1, 2`;

describe('an upgrade of an installation on a Citus cluster', () => {
  const databases: TestDatabase[] = [];
  let old: string;
  let fresh: string;

  beforeEach(async () => {
    databases.push(await createClusterDatabase(), await createClusterDatabase());
    [old, fresh] = databases.map(({ url }) => url) as [string, string];
  });
  afterEach(async () => {
    for (const database of databases.splice(0)) await database.drop();
  });

  const migrateUpToLast = async () => {
    const dataSource = migrationDataSource(old);
    const migrations = (dataSource.options.migrations as Function[]).slice(0, MIGRATION_NAMES.indexOf(LAST) + 1);
    await dataSource.setOptions({ migrations }).initialize();
    await migrateOnce(dataSource);
    await dataSource.destroy();
  };

  it('the later migrations leave the same tables, keys, triggers, and functions, at the same places, as a new installation has', async () => {
    await migrateUpToLast();
    expect((await queryOnce(old, TABLES)).length).toBeGreaterThan(30);
    await migrate(old);
    await migrate(fresh);
    for (const text of [TABLES, FUNCTIONS, COLUMNS, KEYS, TRIGGERS, INDEXES]) {
      expect(await queryOnce(old, text)).toEqual(await queryOnce(fresh, text));
    }
    const parley = await Parley.start({}, old);
    try {
      const { bot, chatId } = await parley.createTenant();
      await bot.post('/messages', { chatId, content: 'after the upgrade' }).expect(200);
      expect((await bot.get(`/chats/${chatId}`).expect(200)).body.messages).toHaveLength(1);
    } finally {
      await parley.stop();
    }
  });
});
