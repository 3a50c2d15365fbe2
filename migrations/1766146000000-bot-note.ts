import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The newest note to the bot of a chat, for bots by address. */
export class BotNote1766146000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE chats ADD COLUMN bot_note json, ADD COLUMN bot_note_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE chats DROP COLUMN bot_note, DROP COLUMN bot_note_at');
  }
}
