import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails to agents about chats that they got, or notes that mention them, while no page of theirs was open. */
export class MailsToAgents1766145000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents ADD COLUMN mail_when_away boolean NOT NULL DEFAULT true');
    await runner.query(
      'CREATE INDEX ix_mails_agent ON mails (organization_id, agent_id, created_at) WHERE agent_id IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_mails_agent');
    await runner.query('ALTER TABLE agents DROP COLUMN mail_when_away');
  }
}
