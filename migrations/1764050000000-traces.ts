import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The trace of an event, for the headers of its attempts. */
export class Traces1764050000000 implements MigrationInterface {
  // Nullable and without a default: no row is rewritten, and nodes of the previous release can still insert.
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE deliveries ADD COLUMN traceparent text COLLATE "C"');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE deliveries DROP COLUMN traceparent');
  }
}
