import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The most pending offers of an agent, and the agent's last miss, so that concurrent offers count as one miss. */
export class PendingOffers1764610000000 implements MigrationInterface {
  /** No transaction: each step locks one table for a moment and can be repeated. */
  transaction = false;

  // A constant default and null: no row is written, and a node that does not know them goes on inserting.
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE groups ADD COLUMN IF NOT EXISTS max_pending_offers integer NOT NULL DEFAULT 2');
    await runner.query('ALTER TABLE agents ADD COLUMN IF NOT EXISTS last_miss_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents DROP COLUMN last_miss_at');
    await runner.query('ALTER TABLE groups DROP COLUMN max_pending_offers');
  }
}
