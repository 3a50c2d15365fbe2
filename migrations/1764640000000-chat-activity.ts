import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The ten minutes of a chat's last message. Lists of open chats are ordered by them. */
export class ChatActivity1764640000000 implements MigrationInterface {
  /** No transaction: the step locks the table for a moment and can be repeated. */
  transaction = false;

  // Without a value, a chat is listed by its creation until its next message.
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE chats ADD COLUMN IF NOT EXISTS activity_slot timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE chats DROP COLUMN activity_slot');
  }
}
