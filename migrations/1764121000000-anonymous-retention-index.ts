import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './support/concurrently.js';

/** An index of the anonymous visitors who may be removed. Kept visitors leave it when they are first checked. */
export class AnonymousRetentionIndex1764121000000 implements MigrationInterface {
  /** No transaction, because the index is built while others write: each step can be repeated. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const definition = 'ON visitors (organization_id, id) WHERE external_id IS NULL AND NOT is_kept';
    await createIndexConcurrently(runner, 'ix_visitors_silent', definition);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_visitors_silent');
  }
}
