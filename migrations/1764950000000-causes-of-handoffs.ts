import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The error that made a bot hand a chat over. */
export class CausesOfHandoffs1764950000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE handoffs ADD COLUMN cause jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE handoffs DROP COLUMN cause');
  }
}
