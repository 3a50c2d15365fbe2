import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './support/concurrently.js';

/** Indexes of the report by agent: the messages that an agent wrote, and the chats that waited until the agent got them. */
export class ReportIndexes1764670000000 implements MigrationInterface {
  /** No transaction, because the indexes are built while others write: each step can be repeated. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) await createIndexConcurrently(runner, name, definition);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${Object.keys(INDEXES).join(', ')}`);
  }
}

const INDEXES = {
  ix_messages_of_agent: `ON messages (organization_id, sender_id, created_at, chat_id) WHERE sender_type = 'AGENT'`,
  ix_handoffs_of_agent: `ON handoffs (organization_id, agent_id, began_at) WHERE outcome = 'ASSIGNED'`,
};
