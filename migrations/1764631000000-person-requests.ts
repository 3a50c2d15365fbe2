import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Visitors who asked for a person, until a bot reacts or the chat is transferred. */
export class PersonRequests1764631000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE person_requests (
        organization_id text COLLATE "C" NOT NULL,
        chat_id text COLLATE "C" NOT NULL,
        after_seq integer NOT NULL,
        requested_at timestamptz(3) NOT NULL,
        due_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_person_requests PRIMARY KEY (organization_id, chat_id),
        CONSTRAINT fk_person_requests_chat FOREIGN KEY (organization_id, chat_id)
          REFERENCES chats (organization_id, id) ON DELETE CASCADE
      );
      CREATE INDEX ix_person_requests_due ON person_requests (due_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE person_requests');
  }
}
