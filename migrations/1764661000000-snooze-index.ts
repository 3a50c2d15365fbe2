import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './support/concurrently.js';

/** Snoozed chats by the time when they wake. */
export class SnoozeIndex1764661000000 implements MigrationInterface {
  /** No transaction, because the index is built while others write. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'ix_chats_snoozed',
      'ON chats (snoozed_until) WHERE snoozed_until IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_chats_snoozed');
  }
}
