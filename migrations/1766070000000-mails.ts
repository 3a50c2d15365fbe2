import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable } from './support/create-table.js';

/** E-mails to send, the limits of addresses, and what an organization sets. */
export class Mails1766070000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations ADD COLUMN mail_settings jsonb');
    await createTable(
      runner,
      `CREATE TABLE mails (
      organization_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      kind text COLLATE "C" NOT NULL,
      status text COLLATE "C" NOT NULL DEFAULT 'WAITING',
      recipient text NOT NULL,
      token text COLLATE "C" NOT NULL,
      chat_id text COLLATE "C",
      visitor_id text COLLATE "C",
      agent_id text COLLATE "C",
      language text COLLATE "C",
      content text,
      attempts integer NOT NULL DEFAULT 0,
      lease integer NOT NULL DEFAULT 0,
      due_at timestamptz(3) NOT NULL,
      first_tried_at timestamptz(3),
      tried_at timestamptz(3),
      last_error text,
      created_at timestamptz(3) NOT NULL,
      sent_at timestamptz(3),
      CONSTRAINT pk_mails PRIMARY KEY (organization_id, id),
      CONSTRAINT fk_mails_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
      CONSTRAINT fk_mails_chat FOREIGN KEY (organization_id, chat_id)
        REFERENCES chats (organization_id, id) ON DELETE CASCADE,
      CONSTRAINT ck_mails_status CHECK (
        status IN ('WAITING', 'SENT', 'BOUNCED', 'FAILED', 'LAPSED', 'TOO_MANY'))
    )`,
    );
    await createTable(
      runner,
      `CREATE TABLE mail_limits (
      key text COLLATE "C" NOT NULL,
      times timestamptz[] NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_mail_limits PRIMARY KEY (key)
    )`,
    );
    await runner.query(`
      CREATE INDEX ix_mails_due ON mails (due_at) WHERE status = 'WAITING';
      CREATE INDEX ix_mails_token ON mails (token);
      CREATE INDEX ix_mails_chat ON mails (organization_id, chat_id, id) WHERE chat_id IS NOT NULL;
      CREATE INDEX ix_mails_tried ON mails (organization_id, tried_at)
        WHERE visitor_id IS NOT NULL AND tried_at IS NOT NULL;
      CREATE INDEX ix_mails_content ON mails (created_at) WHERE content IS NOT NULL;
      CREATE INDEX ix_mails_without_chat ON mails (created_at) WHERE chat_id IS NULL;
      CREATE INDEX ix_mail_limits_expiry ON mail_limits (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mails, mail_limits');
    await runner.query('ALTER TABLE organizations DROP COLUMN mail_settings');
  }
}
