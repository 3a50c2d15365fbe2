import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What bots, agents, and administrators know of chats and visitors, and what signed identities say of visitors. */
export class Attributes1766160000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE visitors ADD COLUMN attributes json, ADD COLUMN attributes_at timestamptz(3), ADD COLUMN verified_attributes json`);
    await runner.query('ALTER TABLE chats ADD COLUMN attributes json, ADD COLUMN attributes_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE chats DROP COLUMN attributes, DROP COLUMN attributes_at');
    await runner.query(
      'ALTER TABLE visitors DROP COLUMN attributes, DROP COLUMN attributes_at, DROP COLUMN verified_attributes',
    );
  }
}
