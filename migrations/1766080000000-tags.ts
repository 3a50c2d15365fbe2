import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable } from './support/create-table.js';

/** Tags of chats, and the names that mean each of them. */
export class Tags1766080000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE chats ADD COLUMN has_tags boolean');
    await createTable(
      runner,
      `CREATE TABLE tags (
        organization_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        name text NOT NULL,
        key text COLLATE "C" NOT NULL,
        color text COLLATE "C",
        created_at timestamptz(3) NOT NULL,
        renamed_to text COLLATE "C",
        removed_at timestamptz(3),
        merged_into text COLLATE "C",
        CONSTRAINT pk_tags PRIMARY KEY (organization_id, id),
        CONSTRAINT fk_tags_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
      )`,
    );
    await createTable(
      runner,
      `CREATE TABLE tag_names (
        organization_id text COLLATE "C" NOT NULL,
        key text COLLATE "C" NOT NULL,
        name text NOT NULL,
        tag_id text COLLATE "C" NOT NULL,
        retired_at timestamptz(3),
        CONSTRAINT pk_tag_names PRIMARY KEY (organization_id, key),
        CONSTRAINT fk_tag_names_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
      )`,
    );
    await createTable(
      runner,
      `CREATE TABLE chat_tags (
        organization_id text COLLATE "C" NOT NULL,
        chat_id text COLLATE "C" NOT NULL,
        tag_id text COLLATE "C" NOT NULL,
        CONSTRAINT pk_chat_tags PRIMARY KEY (organization_id, chat_id, tag_id),
        CONSTRAINT fk_chat_tags_chat FOREIGN KEY (organization_id, chat_id)
          REFERENCES chats (organization_id, id) ON DELETE CASCADE,
        CONSTRAINT fk_chat_tags_tag FOREIGN KEY (organization_id, tag_id)
          REFERENCES tags (organization_id, id) ON DELETE CASCADE
      )`,
    );
    await runner.query(`
      CREATE INDEX ix_tags_key ON tags (organization_id, key, id);
      CREATE INDEX ix_tags_changing ON tags (organization_id, id) WHERE removed_at IS NOT NULL OR renamed_to IS NOT NULL;
      CREATE INDEX ix_tag_names_tag ON tag_names (organization_id, tag_id);
      CREATE INDEX ix_chat_tags_tag ON chat_tags (organization_id, tag_id, chat_id);
    `);
    // Statistics would keep names after their tag was deleted.
    for (const column of ['tags.name', 'tags.key', 'tag_names.name', 'tag_names.key']) {
      const [table, name] = column.split('.');
      await runner.query(`ALTER TABLE ${table} ALTER COLUMN ${name} SET STATISTICS 0`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE chat_tags, tag_names, tags');
    await runner.query('ALTER TABLE chats DROP COLUMN has_tags');
  }
}
