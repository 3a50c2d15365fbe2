import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './support/concurrently.js';

/**
 * Indexes of the views of agents: each view reads a page of each of an agent's groups, in the view's own order. Ended chats
 * grow without end in every group, so chats of all groups have an index too.
 */
export class PeopleIndexes1764210000000 implements MigrationInterface {
  /** No transaction, because the indexes are built while others write: each step can be repeated. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) await createIndexConcurrently(runner, name, definition);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${Object.keys(INDEXES).join(', ')}`);
  }
}

const INDEXES = {
  ix_agents_email_key: `ON agents (email_key) WHERE password_hash IS NOT NULL`,
  ix_agents_groups_left: `ON agents (groups_left_at) WHERE groups_left_at IS NOT NULL`,
  ix_chats_waiting: `ON chats (organization_id, group_id, queued_at, id) WHERE status = 'QUEUED' AND erased_at IS NULL`,
  ix_chats_with_bot: `ON chats (organization_id, group_id, created_at, id)
    WHERE status = 'ACTIVE' AND agent_id IS NULL AND erased_at IS NULL`,
  ix_chats_open: `ON chats (organization_id, group_id, created_at, id)
    WHERE status IN ('ACTIVE', 'QUEUED') AND erased_at IS NULL`,
  ix_chats_ended: `ON chats (organization_id, group_id, status_changed_at, id)
    WHERE status IN ('CLOSED', 'ARCHIVED') AND erased_at IS NULL`,
  ix_chats_ended_of_all: `ON chats (organization_id, status_changed_at, id)
    WHERE status IN ('CLOSED', 'ARCHIVED') AND erased_at IS NULL`,
};
