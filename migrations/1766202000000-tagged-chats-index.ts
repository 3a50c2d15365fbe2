import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from './support/concurrently.js';

/** An index that reads the newest chats of a group that have tags. */
export class TaggedChatsIndex1766202000000 implements MigrationInterface {
  /** No transaction, because the index is built while others write. It can be repeated. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'ix_chats_tagged',
      'ON chats (organization_id, group_id, id) WHERE has_tags AND erased_at IS NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndexConcurrently(runner, 'ix_chats_tagged');
  }
}
