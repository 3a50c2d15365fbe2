import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The only bot that gets the chats of a group; null: every bot does. */
export class BotsOfGroups1764653000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE groups ADD COLUMN bot_id text COLLATE "C",
        ADD CONSTRAINT fk_groups_bot FOREIGN KEY (organization_id, bot_id)
          REFERENCES bots (organization_id, id) ON DELETE SET NULL (bot_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE groups DROP COLUMN bot_id');
  }
}
