import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether an organization's audit log stores clients' addresses. */
export class StoreAddresses1764681000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE organizations ADD COLUMN store_addresses boolean NOT NULL DEFAULT true;
      CREATE INDEX ix_audit_entries_with_address ON audit_entries (organization_id, id) WHERE source_address IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX ix_audit_entries_with_address;
      ALTER TABLE organizations DROP COLUMN store_addresses;
    `);
  }
}
