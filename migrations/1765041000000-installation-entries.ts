import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable } from './support/create-table.js';

/** The audit log of the installation. It has no foreign keys, because its entries outlive the organizations. */
export class InstallationEntries1765041000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      `CREATE TABLE installation_entries (
        id text COLLATE "C" NOT NULL,
        at timestamptz(3) NOT NULL,
        actor_type text COLLATE "C" NOT NULL,
        actor_id text COLLATE "C",
        actor_name text,
        action text COLLATE "C" NOT NULL,
        target text COLLATE "C" NOT NULL,
        target_name text,
        details jsonb,
        CONSTRAINT pk_installation_entries PRIMARY KEY (id)
      )`,
    );
    await runner.query('CREATE INDEX ix_installation_entries_at ON installation_entries (at)');
    await runner.query('CREATE INDEX ix_installation_entries_target ON installation_entries (target, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE installation_entries');
  }
}
