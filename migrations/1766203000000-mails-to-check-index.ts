import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './support/concurrently.js';

/** Mails that wait for a decision. */
export class MailsToCheckIndex1766203000000 implements MigrationInterface {
  /** No transaction, because the index is built while others write. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'ix_inbound_mails_to_check',
      `ON inbound_mails (organization_id, chat_id) WHERE status = 'TO_CHECK'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_inbound_mails_to_check');
  }
}
