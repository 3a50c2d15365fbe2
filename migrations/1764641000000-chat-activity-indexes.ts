import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from './support/concurrently.js';

/** Indexes that read a page of open chats by their last activity, and a page of an agent's ended chats. */
export class ChatActivityIndexes1764641000000 implements MigrationInterface {
  /** No transaction, because the indexes are built while others write: each step can be repeated. */
  transaction = false;

  // Nodes of the previous release order open chats by their creation. Until they end, they sort a group's open chats.
  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) await createIndexConcurrently(runner, name, definition);
    for (const name of Object.keys(FORMER)) await dropIndexConcurrently(runner, name);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(FORMER))
      await runner.query(`CREATE INDEX IF NOT EXISTS ${name} ${definition}`);
    await runner.query(`DROP INDEX ${Object.keys(INDEXES).join(', ')}`);
  }
}

const SLOT = `(COALESCE(activity_slot, date_bin('10 minutes', created_at, TIMESTAMPTZ '2000-01-01 00:00:00+00')))`;
const OPEN = `status IN ('ACTIVE', 'QUEUED') AND erased_at IS NULL`;
const WITH_BOT = `status = 'ACTIVE' AND agent_id IS NULL AND erased_at IS NULL`;
const ENDED = `status IN ('CLOSED', 'ARCHIVED') AND erased_at IS NULL`;

const INDEXES = {
  ix_chats_open_activity: `ON chats (organization_id, group_id, ${SLOT}) WHERE ${OPEN}`,
  ix_chats_bot_activity: `ON chats (organization_id, group_id, ${SLOT}) WHERE ${WITH_BOT}`,
  ix_chats_ended_of_agent: `ON chats (organization_id, last_agent_id, status_changed_at, id) WHERE ${ENDED}`,
};

const FORMER = {
  ix_chats_open: `ON chats (organization_id, group_id, created_at, id) WHERE ${OPEN}`,
  ix_chats_with_bot: `ON chats (organization_id, group_id, created_at, id) WHERE ${WITH_BOT}`,
};
