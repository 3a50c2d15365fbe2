import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable } from './support/create-table.js';

/** A value that only the SECRET_KEY of this database opens, so that a start with another key is noticed. */
export class SecretKeyCheck1765020000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      `CREATE TABLE secret_key_check (
        id text COLLATE "C" NOT NULL,
        sealed bytea NOT NULL,
        CONSTRAINT pk_secret_key_check PRIMARY KEY (id),
        CONSTRAINT ck_secret_key_check_id CHECK (id = 'only')
      )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE secret_key_check');
  }
}
