import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable } from './support/create-table.js';

/** How far each mailbox has been read, the node that reads it, and tokens for mail servers. */
export class Mailbox1766110000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      `CREATE TABLE mailboxes (
      key text COLLATE "C" NOT NULL,
      uid_validity bigint,
      last_uid bigint NOT NULL DEFAULT 0,
      failures integer NOT NULL DEFAULT 0,
      read_at timestamptz(3),
      node_id text COLLATE "C",
      leased_until timestamptz(3),
      CONSTRAINT pk_mailboxes PRIMARY KEY (key)
    )`,
    );
    await createTable(
      runner,
      `CREATE TABLE mail_authorizations (
      key text COLLATE "C" NOT NULL,
      sealed bytea NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      renewing_until timestamptz(3),
      last_error text,
      retry_at timestamptz(3),
      CONSTRAINT pk_mail_authorizations PRIMARY KEY (key)
    )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mail_authorizations, mailboxes');
  }
}
