import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Subscriptions of bots, whose events wait in `deliveries` until the bot fetches them. */
export class Pull1764310000000 implements MigrationInterface {
  /** No transaction: each step locks one table for a moment and can be repeated, while nodes of the previous release write. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE subscriptions;
      DELETE FROM webhooks WHERE bot_id IS NOT NULL;
      ALTER TABLE webhooks DROP COLUMN bot_id;
    `);
  }
}

// A subscription is a row of `webhooks` with a bot instead of a URL, so the statements that queue events stay the same, even on nodes
// of the previous release. `subscriptions` has the columns that polls change, because sending messages reads `webhooks`.
const STATEMENTS = [
  `ALTER TABLE webhooks ADD COLUMN IF NOT EXISTS bot_id text COLLATE "C"`,
  `CREATE UNIQUE INDEX IF NOT EXISTS uq_webhooks_bot ON webhooks (organization_id, bot_id)`,
  `ALTER TABLE webhooks DROP CONSTRAINT IF EXISTS fk_webhooks_bot,
    ADD CONSTRAINT fk_webhooks_bot FOREIGN KEY (organization_id, bot_id)
      REFERENCES bots (organization_id, id) ON DELETE CASCADE`,
  `CREATE TABLE IF NOT EXISTS subscriptions (
    organization_id text COLLATE "C" NOT NULL,
    bot_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    generation bigint NOT NULL DEFAULT 0,
    ack text COLLATE "C",
    answered bigint[] NOT NULL DEFAULT '{}',
    is_resting boolean NOT NULL DEFAULT false,
    awake_since timestamptz(3) NOT NULL,
    last_polled_at timestamptz(3),
    gap_since timestamptz(3),
    gap_dropped bigint,
    told_gap_since timestamptz(3),
    told_gap_dropped bigint,
    CONSTRAINT pk_subscriptions PRIMARY KEY (organization_id, bot_id),
    CONSTRAINT fk_subscriptions_webhook FOREIGN KEY (organization_id, id)
      REFERENCES webhooks (organization_id, id) ON DELETE CASCADE
  ) WITH (fillfactor = 50)`,
];
