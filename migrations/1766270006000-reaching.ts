import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createAll } from './support/create-table.js';

/** Files, e-mail in both directions, and push notifications. */
export class Reaching1766270006000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createAll(runner, STATEMENTS);
  }

  async down(): Promise<void> {
    throw new Error('no schema comes before the first one');
  }
}

const STATEMENTS = [
  `CREATE TABLE files (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    sender_type text COLLATE "C" NOT NULL,
    sender_id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    announced_size bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    refusal text COLLATE "C",
    place text COLLATE "C",
    checked_until timestamptz(3),
    size bigint,
    type text COLLATE "C",
    width integer,
    height integer,
    duration_seconds double precision,
    used_by text COLLATE "C",
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_files PRIMARY KEY (organization_id, id)
  )`,
  `CREATE INDEX ix_files_chat ON files (organization_id, chat_id)`,
  `CREATE INDEX ix_files_id ON files (id)`,
  `CREATE INDEX ix_files_pictures ON files (organization_id, created_at) WHERE used_by = 'picture'`,
  `CREATE INDEX ix_files_unfinished ON files (organization_id, created_at) WHERE status = 'PENDING'`,
  `CREATE INDEX ix_files_unused ON files (created_at) WHERE used_by IS NULL`,
  `CREATE TABLE file_usage (
    organization_id text COLLATE "C" NOT NULL,
    number bigint NOT NULL DEFAULT 0,
    bytes bigint NOT NULL DEFAULT 0,
    CONSTRAINT pk_file_usage PRIMARY KEY (organization_id)
  )`,
  `CREATE TABLE file_removals (
    organization_id text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    erased_for text COLLATE "C",
    due_at timestamptz(3) NOT NULL,
    last_at timestamptz(3) NOT NULL,
    cleared_at timestamptz(3),
    CONSTRAINT pk_file_removals PRIMARY KEY (organization_id, key)
  )`,
  `CREATE INDEX ix_file_removals_chat ON file_removals (organization_id, chat_id)`,
  `CREATE INDEX ix_file_removals_due ON file_removals (due_at)`,
  `CREATE INDEX ix_file_removals_erased_for ON file_removals (organization_id, erased_for) WHERE erased_for IS NOT NULL`,
  `CREATE TABLE file_starts (
    id text COLLATE "C" NOT NULL,
    sender text COLLATE "C" NOT NULL,
    address bytea NOT NULL,
    size bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_file_starts PRIMARY KEY (id)
  )`,
  `CREATE INDEX ix_file_starts_address ON file_starts (address, created_at)`,
  `CREATE INDEX ix_file_starts_created ON file_starts (created_at)`,
  `CREATE INDEX ix_file_starts_sender ON file_starts (sender, created_at)`,
  `CREATE TABLE file_store (
    is_only boolean NOT NULL DEFAULT true,
    id text COLLATE "C" NOT NULL,
    CONSTRAINT pk_file_store PRIMARY KEY (is_only),
    CONSTRAINT ck_file_store_is_only CHECK (is_only)
  )`,
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
    after_seq integer,
    ended_at timestamptz(3),
    CONSTRAINT pk_mails PRIMARY KEY (organization_id, id),
    CONSTRAINT fk_mails_chat FOREIGN KEY (organization_id, chat_id) REFERENCES chats (organization_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_mails_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
    CONSTRAINT ck_mails_status CHECK (status IN ('WAITING', 'SENT', 'BOUNCED', 'FAILED', 'LAPSED', 'TOO_MANY'))
  )`,
  `CREATE INDEX ix_mails_agent ON mails (organization_id, agent_id, created_at) WHERE agent_id IS NOT NULL`,
  `CREATE INDEX ix_mails_chat ON mails (organization_id, chat_id, id) WHERE chat_id IS NOT NULL`,
  `CREATE INDEX ix_mails_content ON mails (created_at) WHERE content IS NOT NULL`,
  `CREATE INDEX ix_mails_due ON mails (due_at) WHERE status = 'WAITING'`,
  `CREATE INDEX ix_mails_token ON mails (token)`,
  `CREATE INDEX ix_mails_tried ON mails (organization_id, tried_at) WHERE visitor_id IS NOT NULL AND tried_at IS NOT NULL`,
  `CREATE INDEX ix_mails_without_chat ON mails (created_at) WHERE chat_id IS NULL`,
  `CREATE UNIQUE INDEX uq_mails_ended ON mails (organization_id, chat_id, ended_at) WHERE ended_at IS NOT NULL`,
  `CREATE UNIQUE INDEX uq_mails_missed ON mails (organization_id, chat_id, after_seq) WHERE after_seq IS NOT NULL`,
  `CREATE TABLE mail_limits (
    key text COLLATE "C" NOT NULL,
    times timestamptz[] NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_mail_limits PRIMARY KEY (key)
  )`,
  `CREATE INDEX ix_mail_limits_expiry ON mail_limits (expires_at)`,
  `CREATE TABLE mail_addresses (
    organization_id text COLLATE "C" NOT NULL,
    address_hash text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL,
    since timestamptz(3) NOT NULL,
    CONSTRAINT pk_mail_addresses PRIMARY KEY (organization_id, address_hash),
    CONSTRAINT fk_mail_addresses_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
    CONSTRAINT ck_mail_addresses_status CHECK (status IN ('BOUNCED', 'UNSUBSCRIBED'))
  )`,
  `CREATE TABLE visitor_links (
    organization_id text COLLATE "C" NOT NULL,
    token_hash text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    visitor_id text COLLATE "C" NOT NULL,
    email text NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_visitor_links PRIMARY KEY (organization_id, token_hash),
    CONSTRAINT fk_visitor_links_chat FOREIGN KEY (organization_id, chat_id) REFERENCES chats (organization_id, id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_visitor_links_chat ON visitor_links (organization_id, chat_id)`,
  `CREATE INDEX ix_visitor_links_expiry ON visitor_links (expires_at)`,
  `CREATE INDEX ix_visitor_links_hash ON visitor_links (token_hash)`,
  // Statistics would keep words of visitors after their mails were removed.
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
    CONSTRAINT fk_inbound_mails_chat FOREIGN KEY (organization_id, chat_id) REFERENCES chats (organization_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_inbound_mails_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
    CONSTRAINT ck_inbound_mails_status CHECK (status IN ('STORED', 'TO_CHECK', 'ACCEPTED', 'DROPPED', 'REFUSED', 'PROCESSED'))
  )`,
  `ALTER TABLE inbound_mails ALTER COLUMN sender SET STATISTICS 0, ALTER COLUMN content SET STATISTICS 0, ALTER COLUMN full_text SET STATISTICS 0, ALTER COLUMN attachments SET STATISTICS 0`,
  `CREATE INDEX ix_inbound_mails_chat ON inbound_mails (organization_id, chat_id, received_at)`,
  `CREATE INDEX ix_inbound_mails_mail ON inbound_mails (organization_id, mail_id, received_at)`,
  `CREATE INDEX ix_inbound_mails_message ON inbound_mails (organization_id, message_id) WHERE full_text IS NOT NULL`,
  `CREATE INDEX ix_inbound_mails_to_check ON inbound_mails (organization_id, chat_id) WHERE status = 'TO_CHECK'`,
  `CREATE INDEX ix_inbound_mails_old ON inbound_mails (received_at) WHERE status NOT IN ('STORED', 'ACCEPTED')`,
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
  `CREATE TABLE mail_authorizations (
    key text COLLATE "C" NOT NULL,
    sealed bytea NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    renewing_until timestamptz(3),
    last_error text,
    retry_at timestamptz(3),
    CONSTRAINT pk_mail_authorizations PRIMARY KEY (key)
  )`,
  `CREATE TABLE push_keys (
    public_key text COLLATE "C" NOT NULL,
    sealed bytea NOT NULL,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_push_keys PRIMARY KEY (public_key)
  )`,
  `CREATE TABLE push_subscriptions (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    session_id text COLLATE "C" NOT NULL,
    sealed bytea NOT NULL,
    public_key text COLLATE "C" NOT NULL,
    language text COLLATE "C" NOT NULL,
    refusals integer NOT NULL DEFAULT 0,
    subscribed_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_push_subscriptions PRIMARY KEY (organization_id, id),
    CONSTRAINT fk_push_subscriptions_agent FOREIGN KEY (organization_id, agent_id) REFERENCES agents (organization_id, id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_push_subscriptions_agent ON push_subscriptions (organization_id, agent_id)`,
  `CREATE TABLE push_notifications (
    organization_id text COLLATE "C" NOT NULL,
    subscription_id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    due_at timestamptz(3) NOT NULL,
    retry_at timestamptz(3),
    expires_at timestamptz(3) NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    lease integer NOT NULL DEFAULT 0,
    CONSTRAINT pk_push_notifications PRIMARY KEY (organization_id, subscription_id, chat_id),
    CONSTRAINT fk_push_notifications_chat FOREIGN KEY (organization_id, chat_id) REFERENCES chats (organization_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_push_notifications_subscription FOREIGN KEY (organization_id, subscription_id) REFERENCES push_subscriptions (organization_id, id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_push_notifications_chat ON push_notifications (organization_id, chat_id)`,
  `CREATE INDEX ix_push_notifications_due ON push_notifications (due_at)`,
];
