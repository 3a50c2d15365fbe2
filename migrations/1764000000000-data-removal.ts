import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What lets data be found, kept for a time, and removed. */
export class DataRemoval1764000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(MARKS);
    await runner.query(WAYS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX ix_idempotency_keys_transfer, ix_deliveries_chat_events, ix_visitors_email, ix_visitors_erasing,
        ix_organizations_deleted, ix_organizations_retention;
      ALTER TABLE messages DROP COLUMN deleted_at;
      ALTER TABLE chats DROP COLUMN erased_at, DROP COLUMN deleted_seq;
      ALTER TABLE visitors DROP COLUMN erasing_since;
      ALTER TABLE organizations DROP COLUMN retention_days, DROP COLUMN deleted_at;
    `);
  }
}

// Constant defaults: no row is written.
const MARKS = `
  ALTER TABLE organizations
    ADD COLUMN retention_days integer,
    ADD COLUMN deleted_at timestamptz(3),
    ADD CONSTRAINT ck_organizations_retention_days CHECK (retention_days BETWEEN 1 AND 3650);
  ALTER TABLE visitors ADD COLUMN erasing_since timestamptz(3);
  ALTER TABLE chats ADD COLUMN erased_at timestamptz(3), ADD COLUMN deleted_seq integer NOT NULL DEFAULT 0;
  ALTER TABLE messages ADD COLUMN deleted_at timestamptz(3);
`;

// What is to be done is found without reading what is not. A message's deliveries and key are found without an index of
// their own; only those of other events and of transfers, which are rare, have one.
const WAYS = `
  CREATE INDEX ix_organizations_retention ON organizations (id) WHERE retention_days IS NOT NULL;
  CREATE INDEX ix_organizations_deleted ON organizations (id) WHERE deleted_at IS NOT NULL;
  CREATE INDEX ix_visitors_erasing ON visitors (organization_id, id) WHERE erasing_since IS NOT NULL;
  CREATE INDEX ix_visitors_email ON visitors (organization_id, lower(email), id) WHERE email IS NOT NULL;
  CREATE INDEX ix_deliveries_chat_events ON deliveries (organization_id, chat_id) WHERE event_type <> 'message.created';
  CREATE INDEX ix_idempotency_keys_transfer ON idempotency_keys (organization_id, (response ->> 'chatId'))
    WHERE endpoint = 'transfer';
`;
