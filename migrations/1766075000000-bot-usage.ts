import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable } from './support/create-table.js';

/** The turns and tokens of connected bots, by day. */
export class BotUsage1766075000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      `CREATE TABLE bot_usage (
        organization_id text COLLATE "C" NOT NULL,
        bot_id text COLLATE "C" NOT NULL,
        day text COLLATE "C" NOT NULL,
        turns integer NOT NULL,
        failed integer NOT NULL,
        handed_over integer NOT NULL,
        input_tokens bigint NOT NULL,
        output_tokens bigint NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_bot_usage PRIMARY KEY (organization_id, bot_id, day),
        CONSTRAINT fk_bot_usage_organization FOREIGN KEY (organization_id)
          REFERENCES organizations (id) ON DELETE CASCADE
      )`,
    );
    await runner.query('CREATE INDEX ix_bot_usage_created ON bot_usage (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE bot_usage');
  }
}
