import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './support/concurrently.js';

/** Indexes to find the data that is to be removed, and visitors by email. */
export class DataRemovalIndexes1764010000000 implements MigrationInterface {
  /** No transaction, because the indexes are built while others write: each step can be repeated. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) await createIndexConcurrently(runner, name, definition);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${Object.keys(INDEXES).join(', ')}`);
  }
}

// The indexes contain only the rows to be removed. The deliveries and key of a message need no index of their own; only
// deliveries of other events and keys of transfers, which are rare, have one.
const INDEXES = {
  ix_organizations_retention: 'ON organizations (id) WHERE retention_days IS NOT NULL',
  ix_organizations_deleted: 'ON organizations (id) WHERE deleted_at IS NOT NULL',
  ix_visitors_erasing: 'ON visitors (organization_id, id) WHERE erasing_since IS NOT NULL',
  ix_visitors_email: 'ON visitors (organization_id, lower(email), id) WHERE email IS NOT NULL',
  ix_deliveries_chat_events: `ON deliveries (organization_id, chat_id) WHERE event_type <> 'message.created'`,
  ix_idempotency_keys_transfer: `ON idempotency_keys (organization_id, (response ->> 'chatId')) WHERE endpoint = 'transfer'`,
};
