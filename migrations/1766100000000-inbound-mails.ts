import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable } from './support/create-table.js';

/** E-mails that arrived: answers of visitors, what agents must check first, and what was refused. */
export class InboundMails1766100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE chats ADD COLUMN mails_to_check integer');
    await createTable(
      runner,
      `CREATE TABLE inbound_mails (
        organization_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        chat_id text COLLATE "C",
        mail_id text COLLATE "C" NOT NULL,
        key text COLLATE "C" NOT NULL,
        status text COLLATE "C" NOT NULL,
        reason text COLLATE "C",
        sender text,
        content text,
        full_text text,
        attachments json,
        message_id text COLLATE "C",
        received_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_inbound_mails PRIMARY KEY (organization_id, id),
        CONSTRAINT uq_inbound_mails_key UNIQUE (organization_id, key),
        CONSTRAINT fk_inbound_mails_organization FOREIGN KEY (organization_id)
          REFERENCES organizations (id) ON DELETE CASCADE,
        CONSTRAINT fk_inbound_mails_chat FOREIGN KEY (organization_id, chat_id)
          REFERENCES chats (organization_id, id) ON DELETE CASCADE,
        CONSTRAINT ck_inbound_mails_status CHECK (
          status IN ('STORED', 'TO_CHECK', 'ACCEPTED', 'DROPPED', 'REFUSED', 'PROCESSED'))
      )`,
    );
    await runner.query(`
      CREATE INDEX ix_inbound_mails_chat ON inbound_mails (organization_id, chat_id, received_at);
      CREATE INDEX ix_inbound_mails_message ON inbound_mails (organization_id, message_id) WHERE full_text IS NOT NULL;
      CREATE INDEX ix_inbound_mails_mail ON inbound_mails (organization_id, mail_id, received_at);
      CREATE INDEX ix_inbound_mails_old ON inbound_mails (received_at) WHERE status NOT IN ('STORED', 'ACCEPTED');
    `);
    // Statistics would keep words of visitors after their mails were removed.
    for (const column of ['sender', 'content', 'full_text', 'attachments'])
      await runner.query(`ALTER TABLE inbound_mails ALTER COLUMN ${column} SET STATISTICS 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE inbound_mails');
    await runner.query('ALTER TABLE chats DROP COLUMN mails_to_check');
  }
}
