import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a deleted organization is removed, and when its removal began. */
export class OrganizationGrace1765040000000 implements MigrationInterface {
  // A node of the previous release writes neither: an organization that it deletes is removed immediately, as that release documents.
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE organizations ADD COLUMN remove_at timestamptz(3), ADD COLUMN removal_began_at timestamptz(3)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations DROP COLUMN remove_at, DROP COLUMN removal_began_at');
  }
}
