import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './support/concurrently.js';

/** An index to find the offer that a message answers, and how far each side of a chat has read. */
export class RepliesAndReads1763900000000 implements MigrationInterface {
  /** No transaction, because the index is built while others write: each step can be repeated. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, 'ix_messages_offers', OFFERS);
    await runner.query(READS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE chat_reads;
      DROP INDEX ix_messages_offers;
    `);
  }
}

// Contains only messages that can be answered: other messages cost nothing.
const OFFERS = `ON messages (organization_id, chat_id, id) WHERE type IN ('QUICK_REPLY', 'BUTTON')`;

// A separate table, because every message locks the chat's row.
const READS = `
  CREATE TABLE IF NOT EXISTS chat_reads (
    organization_id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    side text COLLATE "C" NOT NULL,
    seq integer NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_chat_reads PRIMARY KEY (organization_id, chat_id, side),
    CONSTRAINT ck_chat_reads_side CHECK (side IN ('visitor', 'organization')),
    CONSTRAINT fk_chat_reads_chat FOREIGN KEY (organization_id, chat_id)
      REFERENCES chats (organization_id, id) ON DELETE CASCADE
  ) WITH (fillfactor = 70);
`;
