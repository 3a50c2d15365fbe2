import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './support/concurrently.js';

/** Indexes to find visitors by how their email, their name or the last word of it begins. */
export class VisitorSearch1764520000000 implements MigrationInterface {
  /** No transaction, because the indexes are built while others write: each step can be repeated. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) await createIndexConcurrently(runner, name, definition);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${Object.keys(INDEXES).join(', ')}`);
  }
}

// A range of texts that begin alike is one only in the order of their bytes.
const INDEXES = {
  ix_visitors_email_prefix: 'ON visitors (organization_id, (lower(email) COLLATE "C"), id) WHERE email IS NOT NULL',
  ix_visitors_name_prefix: 'ON visitors (organization_id, (lower(name) COLLATE "C"), id) WHERE name IS NOT NULL',
  ix_visitors_last_word_prefix: `ON visitors (organization_id, (lower(split_part(name, ' ', -1)) COLLATE "C"), id) WHERE name IS NOT NULL`,
};
