import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether the agent who has a chat sees what its visitor is writing. */
export class TypingPreview1764400000000 implements MigrationInterface {
  // A constant default: no row is written, and a node that does not know it goes on inserting.
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations ADD COLUMN typing_preview boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations DROP COLUMN typing_preview');
  }
}
