import type { MigrationInterface, QueryRunner } from 'typeorm';

/** After how many seconds without an answer a chat counts as late. */
export class LateAfter1766194009000 implements MigrationInterface {
  // A constant default: no row is written, and a node that doesn't know it goes on inserting.
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE organizations ADD COLUMN late_after_seconds integer NOT NULL DEFAULT 300
        CONSTRAINT ck_organizations_late_after_seconds CHECK (late_after_seconds BETWEEN 1 AND 86400)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations DROP COLUMN late_after_seconds');
  }
}
