import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many bytes of files an organization may store; null: no limit. */
export class FileQuota1766034000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations ADD COLUMN file_quota bigint DEFAULT 10737418240');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations DROP COLUMN file_quota');
  }
}
