import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './support/concurrently.js';

/** Finds whether an agent signed in from a network, however many sessions the agent has. */
export class KnownNetworks1764901000000 implements MigrationInterface {
  /** No transaction, because the index is built while others write. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'ix_agent_sessions_network',
      'ON agent_sessions (organization_id, agent_id, source_network, created_at)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_agent_sessions_network');
  }
}
