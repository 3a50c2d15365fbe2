import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The trace that an event belongs to, for the headers of its attempts. */
export class Traces1764050000000 implements MigrationInterface {
  // Nullable and without a default: nothing is rewritten, and a node that does not know it goes on inserting.
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE deliveries ADD COLUMN traceparent text COLLATE "C"');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE deliveries DROP COLUMN traceparent');
  }
}
