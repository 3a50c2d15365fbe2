import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from './support/concurrently.js';

/**
 * The lists of deliveries are lists of a webhook's. Bots that poll have as many deliveries, which no list of these kinds reads, so they
 * needn't be in its index.
 */
export class ListsOfWebhooks1764751000000 implements MigrationInterface {
  /** No transaction, because the index is built while others write: each step can be repeated. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, 'ix_deliveries_of_webhooks', `${LIST} WHERE webhook_id LIKE 'whk%'`);
    await dropIndexConcurrently(runner, 'ix_deliveries_list');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX ix_deliveries_list ${LIST}`);
    await runner.query('DROP INDEX ix_deliveries_of_webhooks');
  }
}

const LIST = `ON deliveries (organization_id, webhook_id, (COALESCE(outcome, 'waiting')), event_type, id)`;
