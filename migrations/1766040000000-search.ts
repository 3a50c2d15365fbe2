import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable } from './support/create-table.js';

/** The index of messages, notes, and people, and which node writes it for an organization. */
export class Search1766040000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // No foreign key: its check would lock chats, and retention skips locked ones.
    await createTable(
      runner,
      `CREATE TABLE search_entries (
        organization_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        chat_id text COLLATE "C" NOT NULL,
        kind text COLLATE "C" NOT NULL,
        seq integer,
        created_at timestamptz(3) NOT NULL,
        words tsvector NOT NULL,
        CONSTRAINT pk_search_entries PRIMARY KEY (organization_id, id)
      )`,
    );
    await createTable(
      runner,
      `CREATE TABLE search_leases (
        organization_id text COLLATE "C" NOT NULL,
        node_id text COLLATE "C" NOT NULL,
        leased_until timestamptz(3) NOT NULL,
        CONSTRAINT pk_search_leases PRIMARY KEY (organization_id),
        CONSTRAINT fk_search_leases_organization FOREIGN KEY (organization_id)
          REFERENCES organizations (id) ON DELETE CASCADE
      )`,
    );
    // Without a list of pending entries, no statement has to work through other statements' entries.
    await runner.query(`
      CREATE INDEX ix_search_entries_words ON search_entries USING gin (words) WITH (fastupdate = off);
      CREATE INDEX ix_search_entries_time ON search_entries (organization_id, created_at, id);
      CREATE INDEX ix_search_entries_chat ON search_entries (organization_id, chat_id, created_at, id);
    `);
    // Statistics would keep words after their message was erased.
    await runner.query('ALTER TABLE search_entries ALTER COLUMN words SET STATISTICS 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE search_leases');
    await runner.query('DROP TABLE search_entries');
  }
}
