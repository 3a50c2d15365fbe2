import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../src/platform/database/concurrently.js';

/** How data is found that is to be removed, and the people it is about. */
export class DataRemovalIndexes1764010000000 implements MigrationInterface {
  /** Built while others write, so outside of a transaction: each step can be taken again. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) await createIndexConcurrently(runner, name, definition);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${Object.keys(INDEXES).join(', ')}`);
  }
}

// What is to be done is found without reading what is not. A message's deliveries and key are found without an index of
// their own; only those of other events and of transfers, which are rare, have one.
const INDEXES = {
  ix_organizations_retention: 'ON organizations (id) WHERE retention_days IS NOT NULL',
  ix_organizations_deleted: 'ON organizations (id) WHERE deleted_at IS NOT NULL',
  ix_visitors_erasing: 'ON visitors (organization_id, id) WHERE erasing_since IS NOT NULL',
  ix_visitors_email: 'ON visitors (organization_id, lower(email), id) WHERE email IS NOT NULL',
  ix_deliveries_chat_events: `ON deliveries (organization_id, chat_id) WHERE event_type <> 'message.created'`,
  ix_idempotency_keys_transfer: `ON idempotency_keys (organization_id, (response ->> 'chatId')) WHERE endpoint = 'transfer'`,
};
