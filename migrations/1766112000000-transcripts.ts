import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails with transcripts: one for each end of a chat, if the organization sends them then. */
export class Transcripts1766112000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mails ADD COLUMN ended_at timestamptz(3)');
    await runner.query(
      'CREATE UNIQUE INDEX uq_mails_ended ON mails (organization_id, chat_id, ended_at) WHERE ended_at IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mails DROP COLUMN ended_at');
  }
}
