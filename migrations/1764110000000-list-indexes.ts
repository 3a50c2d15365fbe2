import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../src/platform/database/concurrently.js';

/** How a page of a list is found without reading what is not on it. */
export class ListIndexes1764110000000 implements MigrationInterface {
  /** Built while others write, so outside of a transaction: each step can be taken again. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) await createIndexConcurrently(runner, name, definition);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${Object.keys(INDEXES).join(', ')}`);
  }
}

// Whatever a webhook has most of, the page of any status and any type is one stretch, or a few, of the first.
const INDEXES = {
  ix_deliveries_list: `ON deliveries (organization_id, webhook_id, (COALESCE(outcome, 'waiting')), event_type, id)`,
  ix_access_tokens_list: 'ON access_tokens (organization_id, bot_id, id)',
};
