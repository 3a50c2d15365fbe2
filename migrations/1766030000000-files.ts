import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable } from './support/create-table.js';

/** Files that people and bots send: the uploads, what an organization stores, and the bytes to remove. */
export class Files1766030000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      `CREATE TABLE files (
        organization_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        chat_id text COLLATE "C" NOT NULL,
        sender_type text COLLATE "C" NOT NULL,
        sender_id text COLLATE "C" NOT NULL,
        name text NOT NULL,
        announced_size bigint NOT NULL,
        status text COLLATE "C" NOT NULL,
        refusal text COLLATE "C",
        place text COLLATE "C",
        checked_until timestamptz(3),
        size bigint,
        type text COLLATE "C",
        width integer,
        height integer,
        duration_seconds double precision,
        used_by text COLLATE "C",
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_files PRIMARY KEY (organization_id, id)
      )`,
    );
    await createTable(
      runner,
      `CREATE TABLE file_usage (
        organization_id text COLLATE "C" NOT NULL,
        number bigint NOT NULL DEFAULT 0,
        bytes bigint NOT NULL DEFAULT 0,
        CONSTRAINT pk_file_usage PRIMARY KEY (organization_id)
      )`,
    );
    await createTable(
      runner,
      `CREATE TABLE file_removals (
        organization_id text COLLATE "C" NOT NULL,
        key text COLLATE "C" NOT NULL,
        chat_id text COLLATE "C" NOT NULL,
        erased_for text COLLATE "C",
        due_at timestamptz(3) NOT NULL,
        last_at timestamptz(3) NOT NULL,
        cleared_at timestamptz(3),
        CONSTRAINT pk_file_removals PRIMARY KEY (organization_id, key)
      )`,
    );
    await createTable(
      runner,
      `CREATE TABLE file_starts (
        id text COLLATE "C" NOT NULL,
        sender text COLLATE "C" NOT NULL,
        address bytea NOT NULL,
        size bigint NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_file_starts PRIMARY KEY (id)
      )`,
    );
    await createTable(
      runner,
      `CREATE TABLE file_store (
        is_only boolean NOT NULL DEFAULT true,
        id text COLLATE "C" NOT NULL,
        CONSTRAINT pk_file_store PRIMARY KEY (is_only),
        CONSTRAINT ck_file_store_is_only CHECK (is_only)
      )`,
    );
    await runner.query(`
      CREATE INDEX ix_files_id ON files (id);
      CREATE INDEX ix_files_chat ON files (organization_id, chat_id);
      CREATE INDEX ix_files_unused ON files (created_at) WHERE used_by IS NULL;
      CREATE INDEX ix_files_unfinished ON files (organization_id, created_at) WHERE status = 'PENDING';
      CREATE INDEX ix_file_removals_due ON file_removals (due_at);
      CREATE INDEX ix_file_removals_erased_for ON file_removals (organization_id, erased_for) WHERE erased_for IS NOT NULL;
      CREATE INDEX ix_file_removals_chat ON file_removals (organization_id, chat_id);
      CREATE INDEX ix_file_starts_sender ON file_starts (sender, created_at);
      CREATE INDEX ix_file_starts_address ON file_starts (address, created_at);
      CREATE INDEX ix_file_starts_created ON file_starts (created_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['files', 'file_usage', 'file_removals', 'file_starts', 'file_store'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
