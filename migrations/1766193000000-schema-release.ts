import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable } from './support/create-table.js';

/** The newest release that has started on this database, so that one that's too old for its schema is refused. */
export class SchemaRelease1766193000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      `CREATE TABLE schema_release (
        id text COLLATE "C" NOT NULL,
        newest text COLLATE "C" NOT NULL,
        oldest text COLLATE "C" NOT NULL,
        CONSTRAINT pk_schema_release PRIMARY KEY (id),
        CONSTRAINT ck_schema_release_id CHECK (id = 'only'),
        CONSTRAINT ck_schema_release_numbers
          CHECK (newest ~ '^[0-9]{1,6}([.][0-9]{1,6}){2}$' AND oldest ~ '^[0-9]{1,6}([.][0-9]{1,6}){2}$')
      )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE schema_release');
  }
}
