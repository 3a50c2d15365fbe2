import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable } from './support/create-table.js';

/** The people and programs that operate the installation, each with a token of its own. */
export class Operators1765042000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      `CREATE TABLE operators (
        id text COLLATE "C" NOT NULL,
        name text NOT NULL,
        token_hash bytea NOT NULL,
        last_four text NOT NULL,
        expires_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        last_used_at timestamptz(3),
        CONSTRAINT pk_operators PRIMARY KEY (id),
        CONSTRAINT uq_operators_hash UNIQUE (token_hash)
      )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE operators');
  }
}
