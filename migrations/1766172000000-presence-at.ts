import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when agents have their presence, for supervisors. */
export class PresenceAt1766172000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents ADD COLUMN presence_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents DROP COLUMN presence_at');
  }
}
