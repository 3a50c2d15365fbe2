import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why agents are paused, and idle agents. */
export class Away1764720000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE organizations
        ADD COLUMN away_after_minutes integer NOT NULL DEFAULT 0,
        ADD CONSTRAINT ck_organizations_away_after_minutes CHECK (away_after_minutes BETWEEN 0 AND 480);
      CREATE INDEX ix_organizations_with_away ON organizations (id) WHERE away_after_minutes > 0;
      ALTER TABLE agents
        ADD COLUMN pause_reason text COLLATE "C",
        ADD COLUMN active_at timestamptz(3),
        ADD COLUMN is_away boolean NOT NULL DEFAULT false;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE agents DROP COLUMN is_away, DROP COLUMN active_at, DROP COLUMN pause_reason;
      DROP INDEX ix_organizations_with_away;
      ALTER TABLE organizations DROP COLUMN away_after_minutes;
    `);
  }
}
