import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../src/platform/database/concurrently.js';

/** How an offer is found that somebody answers, and how far each side of a chat has read. */
export class RepliesAndReads1763900000000 implements MigrationInterface {
  /** An index is built while others write, so outside of a transaction: each step can be taken again. */
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

// Only what can be answered is in it: other messages cost nothing.
const OFFERS = `ON messages (organization_id, chat_id, id) WHERE type IN ('QUICK_REPLY', 'BUTTON')`;

// A table of its own: the chat's row is locked by every message.
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
