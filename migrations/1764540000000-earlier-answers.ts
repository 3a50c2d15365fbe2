import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Earlier answers to bots that fetch events, so that each `ack` marks the events of its own answer. */
export class EarlierAnswers1764540000000 implements MigrationInterface {
  /** No transaction: each step locks one table for a moment and can be repeated, while nodes of the previous release write. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE subscription_answers;
      ALTER TABLE subscriptions DROP COLUMN told_gap_generation;
    `);
  }
}

// Nodes of the previous release keep only the newest response, so an older `ack` from them has no effect.
const STATEMENTS = [
  `ALTER TABLE subscriptions ADD COLUMN IF NOT EXISTS told_gap_generation bigint NOT NULL DEFAULT 0`,
  `CREATE TABLE IF NOT EXISTS subscription_answers (
    organization_id text COLLATE "C" NOT NULL,
    subscription_id text COLLATE "C" NOT NULL,
    generation bigint NOT NULL,
    ack text COLLATE "C" NOT NULL,
    positions bigint[] NOT NULL,
    CONSTRAINT pk_subscription_answers PRIMARY KEY (organization_id, subscription_id, generation),
    CONSTRAINT fk_subscription_answers_webhook FOREIGN KEY (organization_id, subscription_id)
      REFERENCES webhooks (organization_id, id) ON DELETE CASCADE
  )`,
];
