import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a note's author last changed it. */
export class EditedNotes1764642000000 implements MigrationInterface {
  /** No transaction: the step locks the table for a moment and can be repeated. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notes ADD COLUMN IF NOT EXISTS edited_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notes DROP COLUMN edited_at');
  }
}
