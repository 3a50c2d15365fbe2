import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When an organization's widget was loaded last, and the site that loaded it. */
export class WidgetSightings1764672000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE organizations ADD COLUMN widget_seen_at timestamptz(3), ADD COLUMN widget_seen_origin text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations DROP COLUMN widget_seen_at, DROP COLUMN widget_seen_origin');
  }
}
