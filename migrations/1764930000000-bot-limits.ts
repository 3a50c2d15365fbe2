import type { MigrationInterface, QueryRunner } from 'typeorm';

/** After how many seconds a chat leaves a bot that doesn't take the visitor's message, or doesn't answer it; 0: never. */
export class BotLimits1764930000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // One command each, and a constraint alone, because the table may be distributed.
    await runner.query(`
      ALTER TABLE organizations
        ADD COLUMN bot_silence_seconds integer NOT NULL DEFAULT 120,
        ADD COLUMN bot_reply_seconds integer NOT NULL DEFAULT 0`);
    for (const column of ['bot_silence_seconds', 'bot_reply_seconds']) {
      const check = `CHECK (${column} BETWEEN 0 AND 86400)`;
      await runner.query(`ALTER TABLE organizations ADD CONSTRAINT ck_organizations_${column} ${check}`);
    }
    await runner.query(
      'CREATE INDEX ix_organizations_with_bot_reply ON organizations (id) WHERE bot_reply_seconds > 0',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX ix_organizations_with_bot_reply;
      ALTER TABLE organizations DROP COLUMN bot_reply_seconds, DROP COLUMN bot_silence_seconds;
    `);
  }
}
