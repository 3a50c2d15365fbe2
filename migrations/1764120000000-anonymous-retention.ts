import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Marks the anonymous visitors to keep, so that those without messages are found among millions with messages. */
export class AnonymousRetention1764120000000 implements MigrationInterface {
  // The default is constant: no row is rewritten, and nodes of the previous release can still insert.
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE visitors ADD COLUMN is_kept boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE visitors DROP COLUMN is_kept');
  }
}
