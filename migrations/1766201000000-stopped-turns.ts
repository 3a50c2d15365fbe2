import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Visitors stop answers of bots by address, and ask for them again. */
export class StoppedTurns1766201000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE bot_turns ADD COLUMN stopped_at timestamptz(3), ADD COLUMN replaces text[] NOT NULL DEFAULT '{}'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE bot_turns DROP COLUMN replaces, DROP COLUMN stopped_at');
  }
}
