import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable } from './support/create-table.js';

/** The failures to sign in that no longer count for one agent, because the agent has signed in since. */
export class ForgivenFailures1764900000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      `CREATE TABLE forgiven_failures (
        organization_id text COLLATE "C" NOT NULL,
        agent_id text COLLATE "C" NOT NULL,
        source_network text COLLATE "C" NOT NULL,
        failures integer NOT NULL,
        window_began_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_forgiven_failures PRIMARY KEY (organization_id, agent_id, source_network),
        CONSTRAINT fk_forgiven_failures_organization FOREIGN KEY (organization_id)
          REFERENCES organizations (id) ON DELETE CASCADE
      )`,
    );
    await runner.query('CREATE INDEX ix_forgiven_failures_window ON forgiven_failures (window_began_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE forgiven_failures');
  }
}
