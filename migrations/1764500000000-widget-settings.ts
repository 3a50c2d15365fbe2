import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the widget of an organization looks and what it asks. */
export class WidgetSettings1764500000000 implements MigrationInterface {
  // Without a default no row is written, and a node that does not know the column goes on inserting.
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations ADD COLUMN widget_settings jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations DROP COLUMN widget_settings');
  }
}
