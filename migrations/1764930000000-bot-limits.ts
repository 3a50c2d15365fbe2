import type { MigrationInterface, QueryRunner } from 'typeorm';

/** After how many seconds a chat leaves a bot that doesn't take the visitor's message, or doesn't answer it; 0: never. */
export class BotLimits1764930000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE organizations
        ADD COLUMN bot_silence_seconds integer NOT NULL DEFAULT 120,
        ADD COLUMN bot_reply_seconds integer NOT NULL DEFAULT 0,
        ADD CONSTRAINT ck_organizations_bot_silence_seconds CHECK (bot_silence_seconds BETWEEN 0 AND 86400),
        ADD CONSTRAINT ck_organizations_bot_reply_seconds CHECK (bot_reply_seconds BETWEEN 0 AND 86400);
      CREATE INDEX ix_organizations_with_bot_reply ON organizations (id) WHERE bot_reply_seconds > 0;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX ix_organizations_with_bot_reply;
      ALTER TABLE organizations DROP COLUMN bot_reply_seconds, DROP COLUMN bot_silence_seconds;
    `);
  }
}
