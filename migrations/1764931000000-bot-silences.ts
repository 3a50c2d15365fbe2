import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable } from './support/create-table.js';

/** The chats whose bots haven't taken a visitor's message for a while. */
export class BotSilences1764931000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      `CREATE TABLE bot_silences (
        organization_id text COLLATE "C" NOT NULL,
        chat_id text COLLATE "C" NOT NULL,
        since timestamptz(3) NOT NULL,
        noticed_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_bot_silences PRIMARY KEY (organization_id, chat_id),
        CONSTRAINT fk_bot_silences_chat FOREIGN KEY (organization_id, chat_id)
          REFERENCES chats (organization_id, id) ON DELETE CASCADE
      )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE bot_silences');
  }
}
