import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether all bots of an organization may only act in chats that they have. */
export class OnlyOwnChatsOfOrganizations1764941000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations ADD COLUMN only_own_chats boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations DROP COLUMN only_own_chats');
  }
}
