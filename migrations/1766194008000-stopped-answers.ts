import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the visitor has stopped of a bot's answers, so that every node knows, and the watchdogs don't wait for it. */
export class StoppedAnswers1766194008000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE chats ADD COLUMN stopped_seq integer, ADD COLUMN stopped_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE chats DROP COLUMN stopped_seq, DROP COLUMN stopped_at');
  }
}
