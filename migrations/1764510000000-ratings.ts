import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What visitors say of chats that have ended. */
export class Ratings1764510000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ratings (
        organization_id text COLLATE "C" NOT NULL,
        chat_id text COLLATE "C" NOT NULL,
        score smallint NOT NULL,
        comment text,
        rated_at timestamptz(3) NOT NULL,
        changed_at timestamptz(3),
        CONSTRAINT pk_ratings PRIMARY KEY (organization_id, chat_id),
        CONSTRAINT ck_ratings_score CHECK (score BETWEEN 1 AND 5),
        CONSTRAINT fk_ratings_chat FOREIGN KEY (organization_id, chat_id)
          REFERENCES chats (organization_id, id) ON DELETE CASCADE
      );
      CREATE INDEX ix_ratings_rated ON ratings (organization_id, rated_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ratings');
  }
}
