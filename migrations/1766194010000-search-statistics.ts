import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets the planner expect all rows of the search index in one organization. With its own guess, which is the average organization, it read
 * every row of a large one for each search, to combine them with the matches of the index of words. Citus doesn't pass this setting on.
 */
export class SearchStatistics1766194010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SET_DISTINCT);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE search_entries ALTER COLUMN organization_id RESET (n_distinct)');
  }
}

// The setting counts from the next ANALYZE on.
const SET_DISTINCT = `
  DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
      ALTER TABLE search_entries ALTER COLUMN organization_id SET (n_distinct = 1);
      ANALYZE search_entries (organization_id);
    END IF;
  END $$`;
