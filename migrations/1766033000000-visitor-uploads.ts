import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether an organization's visitors may send files. */
export class VisitorUploads1766033000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations ADD COLUMN visitor_uploads boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations DROP COLUMN visitor_uploads');
  }
}
