import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Parley's tables may be in another schema than `public`: the writers are found in the one with the tables. */
export class ChangeWritersOfSchema1764890000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(changeWriters(SCHEMA));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(changeWriters(`'public'::regnamespace`));
  }
}

// A worker of a Citus cluster may not have the table itself, but its shards.
const SCHEMA = `COALESCE((SELECT c.relnamespace FROM pg_class c WHERE c.oid = to_regclass('chats')), to_regnamespace('public'))`;

const changeWriters = (schema: string) => `
  CREATE OR REPLACE FUNCTION change_writers_1(organization text, among text[]) RETURNS TABLE (id text) LANGUAGE plpgsql AS $$
  BEGIN
    RETURN QUERY
    SELECT DISTINCT l.virtualtransaction FROM pg_locks l JOIN pg_class t ON t.oid = l.relation
    WHERE l.locktype = 'relation' AND l.mode = 'RowExclusiveLock'
      AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
      AND t.relnamespace = ${schema} AND t.relname ~ '^(chats|messages|visitors)(_[0-9]+)?$'
      AND (among IS NULL OR l.virtualtransaction = ANY (among));
  END $$`;
