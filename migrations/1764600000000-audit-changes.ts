import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './support/concurrently.js';

/** The changed fields in audit log entries, and the indexes of its filters. */
export class AuditChanges1764600000000 implements MigrationInterface {
  /** No transaction, because the indexes are built while others write: each step can be repeated. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE audit_entries ADD COLUMN IF NOT EXISTS target_name text, ADD COLUMN IF NOT EXISTS changes jsonb',
    );
    for (const [name, definition] of Object.entries(INDEXES)) await createIndexConcurrently(runner, name, definition);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${Object.keys(INDEXES).join(', ')}`);
    await runner.query('ALTER TABLE audit_entries DROP COLUMN target_name, DROP COLUMN changes');
  }
}

const INDEXES = {
  ix_audit_entries_of_action: 'ON audit_entries (organization_id, action, id)',
  ix_audit_entries_of_target: 'ON audit_entries (organization_id, target, id)',
  ix_audit_entries_of_actor: 'ON audit_entries (organization_id, COALESCE(actor_id, actor_type), id)',
};
