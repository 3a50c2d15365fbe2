import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What visitors say of a bot's messages. */
export class MessageRatings1764680000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE message_ratings (
        organization_id text COLLATE "C" NOT NULL,
        chat_id text COLLATE "C" NOT NULL,
        seq integer NOT NULL,
        message_id text COLLATE "C" NOT NULL,
        bot_id text COLLATE "C",
        rating text COLLATE "C" NOT NULL,
        comment text,
        rated_at timestamptz(3) NOT NULL,
        changed_at timestamptz(3),
        CONSTRAINT pk_message_ratings PRIMARY KEY (organization_id, chat_id, seq),
        CONSTRAINT ck_message_ratings_rating CHECK (rating IN ('UP', 'DOWN')),
        CONSTRAINT fk_message_ratings_chat FOREIGN KEY (organization_id, chat_id)
          REFERENCES chats (organization_id, id) ON DELETE CASCADE
      );
      CREATE INDEX ix_message_ratings_rated ON message_ratings (organization_id, rated_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE message_ratings');
  }
}
