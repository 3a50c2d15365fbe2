import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Office hours of organizations and groups. Each group has the times that follow from them. Null: always open. */
export class OfficeHours1764671000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE organizations ADD COLUMN office_hours json;
      ALTER TABLE groups ADD COLUMN office_hours json, ADD COLUMN opens_at timestamptz(3), ADD COLUMN closes_at timestamptz(3),
        ADD COLUMN reopens_at timestamptz(3), ADD COLUMN hours_due_at timestamptz(3);
      CREATE INDEX ix_groups_hours_due ON groups (hours_due_at) WHERE hours_due_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE groups DROP COLUMN office_hours, DROP COLUMN opens_at, DROP COLUMN closes_at, DROP COLUMN reopens_at,
        DROP COLUMN hours_due_at;
      ALTER TABLE organizations DROP COLUMN office_hours`);
  }
}
