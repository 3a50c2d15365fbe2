import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An agent has a chat while it is ACTIVE and never else: closing one used to leave its agent in place. */
export class AgentsOfActiveChats1764130000000 implements MigrationInterface {
  /** No transaction, so that checking existing rows doesn't block writes. Each step can be repeated. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE chats SET agent_id = NULL WHERE agent_id IS NOT NULL AND status <> 'ACTIVE'`);
    await runner.query('ALTER TABLE chats DROP CONSTRAINT IF EXISTS ck_chats_agent');
    await runner.query(
      `ALTER TABLE chats ADD CONSTRAINT ck_chats_agent CHECK (agent_id IS NULL OR status = 'ACTIVE') NOT VALID`,
    );
    await runner.query('ALTER TABLE chats VALIDATE CONSTRAINT ck_chats_agent');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE chats DROP CONSTRAINT ck_chats_agent');
  }
}
