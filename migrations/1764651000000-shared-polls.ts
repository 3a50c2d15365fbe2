import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Copies of a bot that share its events: their names, what each was sent, and which chats it has. */
export class SharedPolls1764651000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE subscription_copies (
        organization_id text COLLATE "C" NOT NULL,
        subscription_id text COLLATE "C" NOT NULL,
        copy text COLLATE "C" NOT NULL,
        generation bigint NOT NULL,
        leased_until timestamptz(3) NOT NULL,
        CONSTRAINT pk_subscription_copies PRIMARY KEY (organization_id, subscription_id, copy),
        CONSTRAINT fk_subscription_copies_webhook FOREIGN KEY (organization_id, subscription_id)
          REFERENCES webhooks (organization_id, id) ON DELETE CASCADE
      );
      CREATE TABLE shared_answers (
        organization_id text COLLATE "C" NOT NULL,
        subscription_id text COLLATE "C" NOT NULL,
        copy text COLLATE "C" NOT NULL,
        generation bigint NOT NULL,
        ack text COLLATE "C" NOT NULL,
        positions bigint[] NOT NULL,
        CONSTRAINT pk_shared_answers PRIMARY KEY (organization_id, subscription_id, copy, generation),
        CONSTRAINT fk_shared_answers_copy FOREIGN KEY (organization_id, subscription_id, copy)
          REFERENCES subscription_copies (organization_id, subscription_id, copy) ON DELETE CASCADE
      );
      CREATE TABLE shared_chats (
        organization_id text COLLATE "C" NOT NULL,
        subscription_id text COLLATE "C" NOT NULL,
        chat_id text COLLATE "C" NOT NULL,
        copy text COLLATE "C" NOT NULL,
        positions bigint[] NOT NULL,
        CONSTRAINT pk_shared_chats PRIMARY KEY (organization_id, subscription_id, chat_id),
        CONSTRAINT fk_shared_chats_copy FOREIGN KEY (organization_id, subscription_id, copy)
          REFERENCES subscription_copies (organization_id, subscription_id, copy) ON DELETE CASCADE
      );
      CREATE INDEX ix_shared_chats_copy ON shared_chats (organization_id, subscription_id, copy);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE shared_chats; DROP TABLE shared_answers; DROP TABLE subscription_copies');
  }
}
