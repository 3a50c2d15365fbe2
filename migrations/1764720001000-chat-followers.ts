import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable } from './support/create-table.js';

/** The agents who follow a chat, to learn of its visitor's messages. */
export class ChatFollowers1764720001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      `CREATE TABLE chat_followers (
        organization_id text COLLATE "C" NOT NULL,
        agent_id text COLLATE "C" NOT NULL,
        chat_id text COLLATE "C" NOT NULL,
        followed_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_chat_followers PRIMARY KEY (organization_id, agent_id, chat_id),
        CONSTRAINT fk_chat_followers_agent FOREIGN KEY (organization_id, agent_id)
          REFERENCES agents (organization_id, id) ON DELETE CASCADE,
        CONSTRAINT fk_chat_followers_chat FOREIGN KEY (organization_id, chat_id)
          REFERENCES chats (organization_id, id) ON DELETE CASCADE
      )`,
    );
    await runner.query('CREATE INDEX ix_chat_followers_chat ON chat_followers (organization_id, chat_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE chat_followers');
  }
}
