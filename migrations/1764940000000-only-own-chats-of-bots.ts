import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a bot may only act in chats that it has. */
export class OnlyOwnChatsOfBots1764940000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE bots ADD COLUMN only_own_chats boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE bots DROP COLUMN only_own_chats');
  }
}
