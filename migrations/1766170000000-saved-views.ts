import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable } from './support/create-table.js';

/** Searches that agents keep under a name, of their own or for the team. */
export class SavedViews1766170000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      `CREATE TABLE saved_views (
        organization_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        agent_id text COLLATE "C",
        name text NOT NULL,
        query text NOT NULL,
        position integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_saved_views PRIMARY KEY (organization_id, id),
        CONSTRAINT fk_saved_views_organization FOREIGN KEY (organization_id)
          REFERENCES organizations (id) ON DELETE CASCADE,
        CONSTRAINT fk_saved_views_agent FOREIGN KEY (organization_id, agent_id)
          REFERENCES agents (organization_id, id) ON DELETE CASCADE
      )`,
    );
    await runner.query('ALTER TABLE saved_views ALTER COLUMN name SET STATISTICS 0');
    await runner.query('ALTER TABLE saved_views ALTER COLUMN query SET STATISTICS 0');
    await runner.query('CREATE INDEX ix_saved_views_agent ON saved_views (organization_id, agent_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE saved_views');
  }
}
