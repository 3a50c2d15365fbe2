import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable } from './support/create-table.js';

/** Mails about missed answers, what's known of addresses, and links to continue a chat. */
export class MissedAnswers1766071000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE visitors ADD COLUMN verified_email text');
    await runner.query('ALTER TABLE mails ADD COLUMN after_seq integer');
    await createTable(
      runner,
      `CREATE TABLE mail_addresses (
      organization_id text COLLATE "C" NOT NULL,
      address_hash text COLLATE "C" NOT NULL,
      status text COLLATE "C" NOT NULL,
      since timestamptz(3) NOT NULL,
      CONSTRAINT pk_mail_addresses PRIMARY KEY (organization_id, address_hash),
      CONSTRAINT fk_mail_addresses_organization FOREIGN KEY (organization_id)
        REFERENCES organizations (id) ON DELETE CASCADE,
      CONSTRAINT ck_mail_addresses_status CHECK (status IN ('BOUNCED', 'UNSUBSCRIBED'))
    )`,
    );
    await createTable(
      runner,
      `CREATE TABLE visitor_links (
      organization_id text COLLATE "C" NOT NULL,
      token_hash text COLLATE "C" NOT NULL,
      chat_id text COLLATE "C" NOT NULL,
      visitor_id text COLLATE "C" NOT NULL,
      email text NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_visitor_links PRIMARY KEY (organization_id, token_hash),
      CONSTRAINT fk_visitor_links_chat FOREIGN KEY (organization_id, chat_id)
        REFERENCES chats (organization_id, id) ON DELETE CASCADE
    )`,
    );
    await runner.query(`
      CREATE UNIQUE INDEX uq_mails_missed ON mails (organization_id, chat_id, after_seq) WHERE after_seq IS NOT NULL;
      CREATE INDEX ix_visitor_links_hash ON visitor_links (token_hash);
      CREATE INDEX ix_visitor_links_chat ON visitor_links (organization_id, chat_id);
      CREATE INDEX ix_visitor_links_expiry ON visitor_links (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE visitor_links, mail_addresses');
    await runner.query("DELETE FROM mails WHERE kind = 'missed'");
    await runner.query('ALTER TABLE mails DROP COLUMN after_seq');
    await runner.query('ALTER TABLE visitors DROP COLUMN verified_email');
  }
}
