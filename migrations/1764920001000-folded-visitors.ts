import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './support/concurrently.js';

/**
 * Indexes to find visitors by how their email, their name, or its last word begins, in any case and on any locale. Nodes of the previous
 * release use the ones on `lower`.
 */
export class FoldedVisitors1764920001000 implements MigrationInterface {
  /** No transaction, because the indexes are built while others write: each step can be repeated. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) await createIndexConcurrently(runner, name, definition);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${Object.keys(INDEXES).join(', ')}`);
  }
}

const by = (text: string, column: string) =>
  `ON visitors (organization_id, (fold_text(${text}) COLLATE "C"), id) WHERE ${column} IS NOT NULL`;

const INDEXES = {
  ix_visitors_folded_email: by('email', 'email'),
  ix_visitors_folded_name: by('name', 'name'),
  ix_visitors_folded_last_word: by(`split_part(name, ' ', -1)`, 'name'),
};
