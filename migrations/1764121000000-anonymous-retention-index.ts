import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../src/platform/database/concurrently.js';

/** The anonymous visitors who may have to go. Those who stay leave the index when they are looked at for the first time. */
export class AnonymousRetentionIndex1764121000000 implements MigrationInterface {
  /** Built while others write, so outside of a transaction: each step can be taken again. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const definition = 'ON visitors (organization_id, id) WHERE external_id IS NULL AND NOT is_kept';
    await createIndexConcurrently(runner, 'ix_visitors_silent', definition);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_visitors_silent');
  }
}
