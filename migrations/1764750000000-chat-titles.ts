import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a bot or an agent calls a chat. */
export class ChatTitles1764750000000 implements MigrationInterface {
  /** No transaction: the step locks the table for a moment and can be repeated. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE chats ADD COLUMN IF NOT EXISTS title text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE chats DROP COLUMN title');
  }
}
