import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Until when a chat that has ended was snoozed, so that the end can be undone. */
export class EndedSnoozes1764830000000 implements MigrationInterface {
  /** No transaction: the step locks the table for a moment and can be repeated. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE chats ADD COLUMN IF NOT EXISTS ended_snooze_until timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE chats DROP COLUMN ended_snooze_until');
  }
}
