import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What bots keep about chats. A bot's rows outlive it until their chats are removed, so that deleting a bot stays cheap. */
export class BotStates1764650000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE bot_states (
        organization_id text COLLATE "C" NOT NULL,
        chat_id text COLLATE "C" NOT NULL,
        bot_id text COLLATE "C" NOT NULL,
        state json NOT NULL,
        version integer NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_bot_states PRIMARY KEY (organization_id, chat_id, bot_id),
        CONSTRAINT fk_bot_states_chat FOREIGN KEY (organization_id, chat_id)
          REFERENCES chats (organization_id, id) ON DELETE CASCADE
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE bot_states');
  }
}
