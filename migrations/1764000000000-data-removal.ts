import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns for retention periods and for data that is being removed. */
export class DataRemoval1764000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(MARKS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE messages DROP COLUMN deleted_at;
      ALTER TABLE chats DROP COLUMN erased_at, DROP COLUMN deleted_seq;
      ALTER TABLE visitors DROP COLUMN erasing_since;
      ALTER TABLE organizations DROP COLUMN retention_days, DROP COLUMN deleted_at;
    `);
  }
}

// The defaults are constant, so no row is rewritten.
const MARKS = `
  ALTER TABLE organizations
    ADD COLUMN retention_days integer,
    ADD COLUMN deleted_at timestamptz(3),
    ADD CONSTRAINT ck_organizations_retention_days CHECK (retention_days BETWEEN 1 AND 3650);
  ALTER TABLE visitors ADD COLUMN erasing_since timestamptz(3);
  ALTER TABLE chats ADD COLUMN erased_at timestamptz(3), ADD COLUMN deleted_seq integer NOT NULL DEFAULT 0;
  ALTER TABLE messages ADD COLUMN deleted_at timestamptz(3);
`;
