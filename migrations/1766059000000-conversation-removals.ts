import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable } from './support/create-table.js';

/** The conversations that endpoints are still to remove, because their chats are erased here. */
export class ConversationRemovals1766059000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      `CREATE TABLE conversation_removals (
        organization_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        bot_id text COLLATE "C" NOT NULL,
        connection_id text COLLATE "C" NOT NULL,
        remote_id text NOT NULL,
        remote_user text COLLATE "C" NOT NULL,
        tries integer NOT NULL DEFAULT 0,
        due_at timestamptz(3) NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_conversation_removals PRIMARY KEY (organization_id, id)
      )`,
    );
    await runner.query('CREATE INDEX ix_conversation_removals_due ON conversation_removals (due_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE conversation_removals');
  }
}
