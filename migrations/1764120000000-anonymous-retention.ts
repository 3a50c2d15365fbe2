import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which anonymous visitors stay, so that those who never said anything are found among millions who did. */
export class AnonymousRetention1764120000000 implements MigrationInterface {
  // A constant default: no row is written, and a node that does not know it goes on inserting.
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE visitors ADD COLUMN is_kept boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE visitors DROP COLUMN is_kept');
  }
}
