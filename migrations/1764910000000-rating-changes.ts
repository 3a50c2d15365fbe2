import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How often a rating was changed, because few changes are events. */
export class RatingChanges1764910000000 implements MigrationInterface {
  // Constant defaults: no row is written, and nodes that don't know the columns go on inserting.
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE ratings ADD COLUMN change_count smallint NOT NULL DEFAULT 0');
    await runner.query('ALTER TABLE message_ratings ADD COLUMN change_count smallint NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE message_ratings DROP COLUMN change_count');
    await runner.query('ALTER TABLE ratings DROP COLUMN change_count');
  }
}
