import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './support/concurrently.js';

/** Indexes that read a page of a list without reading other rows. */
export class ListIndexes1764110000000 implements MigrationInterface {
  /** No transaction, because the indexes are built while others write: each step can be repeated. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) await createIndexConcurrently(runner, name, definition);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${Object.keys(INDEXES).join(', ')}`);
  }
}

// With the first index, a page of any status and type is one range or a few, however many other rows a webhook has.
const INDEXES = {
  ix_deliveries_list: `ON deliveries (organization_id, webhook_id, (COALESCE(outcome, 'waiting')), event_type, id)`,
  ix_access_tokens_list: 'ON access_tokens (organization_id, bot_id, id)',
};
