import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from './support/concurrently.js';

/** Finds all offers of an agent, including ended ones, which are removed with the agent. */
export class OffersOfAgents1764530000000 implements MigrationInterface {
  /** No transaction, because the index is built while others write: each step can be repeated. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const columns = 'organization_id, agent_id, ended_at';
    await createIndexConcurrently(runner, 'ix_chat_offers_of_agent', `ON chat_offers (${columns})`);
    await dropIndexConcurrently(runner, 'ix_chat_offers_agent');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX IF NOT EXISTS ix_chat_offers_agent ON chat_offers (organization_id, agent_id) WHERE ended_at IS NULL',
    );
    await runner.query('DROP INDEX ix_chat_offers_of_agent');
  }
}
