import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Agents who sign in, and who has a chat: sessions, presence, hand-offs, offers, notes, canned replies, the audit log. */
export class People1764200000000 implements MigrationInterface {
  /** No transaction: each step locks one table for a moment and can be repeated, while nodes of the previous release write. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const statements of [COLUMNS, SIGNING_IN, PRESENCE, HANDOFFS, WRITING]) {
      for (const statement of statements.split(';\n')) if (statement.trim()) await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE canned_replies, notes, chat_offers, handoffs, agent_connections, nodes, audit_entries, sign_in_failures,
        sign_in_links, agent_sessions;
      DELETE FROM chat_reads WHERE side = 'agents';
      ALTER TABLE chat_reads DROP CONSTRAINT ck_chat_reads_side,
        ADD CONSTRAINT ck_chat_reads_side CHECK (side IN ('visitor', 'organization'));
      ALTER TABLE chats DROP COLUMN last_agent_id, DROP COLUMN queued_at, DROP COLUMN rev, DROP COLUMN waiting_since,
        DROP COLUMN last_visitor_seq, DROP COLUMN assigned_at, DROP COLUMN agent_replied_at, DROP COLUMN agent_wrote_at,
        DROP COLUMN agent_left_at;
      ALTER TABLE groups DROP COLUMN routing, DROP COLUMN offer_seconds, DROP COLUMN max_wait_seconds,
        DROP COLUMN on_unanswered, DROP COLUMN offline_reassign_seconds;
      ALTER TABLE agents DROP COLUMN role, DROP COLUMN capacity, DROP COLUMN is_enabled, DROP COLUMN avatar_url,
        DROP COLUMN is_accepting, DROP COLUMN password_hash, DROP COLUMN missed_offers, DROP COLUMN open_chats,
        DROP COLUMN pending_offers, DROP COLUMN last_assigned_at, DROP COLUMN last_online_at,
        DROP COLUMN groups_left_at;
      ALTER TABLE organizations DROP COLUMN time_zone;
    `);
  }
}

// The defaults are constant, so no row is rewritten, and nodes of the previous release can still insert. Chats of existing groups
// keep waiting forever (max_wait_seconds 0). In new groups, they wait for 180 s.
const COLUMNS = `
  ALTER TABLE organizations ADD COLUMN IF NOT EXISTS time_zone text NOT NULL DEFAULT 'UTC';
  ALTER TABLE agents
    ADD COLUMN IF NOT EXISTS role text COLLATE "C" NOT NULL DEFAULT 'AGENT',
    ADD COLUMN IF NOT EXISTS capacity integer NOT NULL DEFAULT 6,
    ADD COLUMN IF NOT EXISTS is_enabled boolean NOT NULL DEFAULT true,
    ADD COLUMN IF NOT EXISTS avatar_url text,
    ADD COLUMN IF NOT EXISTS is_accepting boolean NOT NULL DEFAULT true,
    ADD COLUMN IF NOT EXISTS password_hash text,
    ADD COLUMN IF NOT EXISTS missed_offers integer NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS open_chats integer NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS pending_offers integer NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS last_assigned_at timestamptz(3),
    ADD COLUMN IF NOT EXISTS last_online_at timestamptz(3),
    ADD COLUMN IF NOT EXISTS groups_left_at timestamptz(3),
    DROP CONSTRAINT IF EXISTS ck_agents_role,
    ADD CONSTRAINT ck_agents_role CHECK (role IN ('AGENT', 'SUPERVISOR', 'ADMIN')),
    DROP CONSTRAINT IF EXISTS ck_agents_capacity,
    ADD CONSTRAINT ck_agents_capacity CHECK (capacity BETWEEN 1 AND 100);
  ALTER TABLE groups
    ADD COLUMN IF NOT EXISTS routing text COLLATE "C" NOT NULL DEFAULT 'MANUAL',
    ADD COLUMN IF NOT EXISTS offer_seconds integer NOT NULL DEFAULT 30,
    ADD COLUMN IF NOT EXISTS max_wait_seconds integer NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS on_unanswered text COLLATE "C" NOT NULL DEFAULT 'KEEP',
    ADD COLUMN IF NOT EXISTS offline_reassign_seconds integer NOT NULL DEFAULT 120,
    DROP CONSTRAINT IF EXISTS ck_groups_routing,
    ADD CONSTRAINT ck_groups_routing CHECK (routing IN ('MANUAL', 'OFFER', 'AUTOMATIC')),
    DROP CONSTRAINT IF EXISTS ck_groups_on_unanswered,
    ADD CONSTRAINT ck_groups_on_unanswered CHECK (on_unanswered IN ('KEEP', 'RETURN_TO_BOT'));
  ALTER TABLE groups ALTER COLUMN max_wait_seconds SET DEFAULT 180;
  ALTER TABLE chats
    ADD COLUMN IF NOT EXISTS last_agent_id text COLLATE "C",
    ADD COLUMN IF NOT EXISTS queued_at timestamptz(3),
    ADD COLUMN IF NOT EXISTS rev integer NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS waiting_since timestamptz(3),
    ADD COLUMN IF NOT EXISTS last_visitor_seq integer NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS assigned_at timestamptz(3),
    ADD COLUMN IF NOT EXISTS agent_replied_at timestamptz(3),
    ADD COLUMN IF NOT EXISTS agent_wrote_at timestamptz(3),
    ADD COLUMN IF NOT EXISTS agent_left_at timestamptz(3);
  ALTER TABLE chat_reads DROP CONSTRAINT IF EXISTS ck_chat_reads_side,
    ADD CONSTRAINT ck_chat_reads_side CHECK (side IN ('visitor', 'organization', 'agents')) NOT VALID;
  ALTER TABLE chat_reads VALIDATE CONSTRAINT ck_chat_reads_side;
`;

const agentOf = (constraint: string) => `
    CONSTRAINT ${constraint} FOREIGN KEY (organization_id, agent_id)
      REFERENCES agents (organization_id, id) ON DELETE CASCADE`;

const chatOf = (constraint: string) => `
    CONSTRAINT ${constraint} FOREIGN KEY (organization_id, chat_id)
      REFERENCES chats (organization_id, id) ON DELETE CASCADE`;

const organizationOf = (constraint: string) => `
    CONSTRAINT ${constraint} FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE`;

// A session and a link are found by their token alone, like access tokens, so every shard has a copy (docs/operate/large.md). A
// table of that kind has no key to agents, which are spread.
const SIGNING_IN = `
  CREATE TABLE IF NOT EXISTS agent_sessions (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    token_hash bytea NOT NULL,
    user_agent text,
    source_network text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    last_used_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    end_reason text COLLATE "C",
    CONSTRAINT pk_agent_sessions PRIMARY KEY (organization_id, id),
    CONSTRAINT uq_agent_sessions_hash UNIQUE (token_hash),${organizationOf('fk_agent_sessions_organization')}
  ) WITH (fillfactor = 70);
  CREATE INDEX IF NOT EXISTS ix_agent_sessions_agent ON agent_sessions (organization_id, agent_id);
  CREATE INDEX IF NOT EXISTS ix_agent_sessions_expiry ON agent_sessions (expires_at);

  CREATE TABLE IF NOT EXISTS sign_in_links (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    token_hash bytea NOT NULL,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_sign_in_links PRIMARY KEY (organization_id, id),
    CONSTRAINT uq_sign_in_links_hash UNIQUE (token_hash),${organizationOf('fk_sign_in_links_organization')}
  );
  CREATE INDEX IF NOT EXISTS ix_sign_in_links_agent ON sign_in_links (organization_id, agent_id);
  CREATE INDEX IF NOT EXISTS ix_sign_in_links_expiry ON sign_in_links (expires_at);

  CREATE TABLE IF NOT EXISTS sign_in_failures (
    email_hash bytea NOT NULL,
    source_network text COLLATE "C" NOT NULL,
    failures integer NOT NULL,
    window_began_at timestamptz(3) NOT NULL,
    blocked_until timestamptz(3),
    CONSTRAINT pk_sign_in_failures PRIMARY KEY (email_hash, source_network)
  ) WITH (fillfactor = 70);
  CREATE INDEX IF NOT EXISTS ix_sign_in_failures_window ON sign_in_failures (window_began_at);

  CREATE TABLE IF NOT EXISTS audit_entries (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    at timestamptz(3) NOT NULL,
    actor_type text COLLATE "C" NOT NULL,
    actor_id text COLLATE "C",
    actor_name text,
    action text COLLATE "C" NOT NULL,
    target text COLLATE "C",
    source_address text,
    CONSTRAINT pk_audit_entries PRIMARY KEY (organization_id, id),${organizationOf('fk_audit_entries_organization')}
  );
  CREATE INDEX IF NOT EXISTS ix_audit_entries_at ON audit_entries (at);
  CREATE INDEX IF NOT EXISTS ix_audit_entries_target ON audit_entries (organization_id, target, action, at);
`;

const PRESENCE = `
  CREATE TABLE IF NOT EXISTS nodes (
    id text COLLATE "C" NOT NULL,
    started_at timestamptz(3) NOT NULL,
    seen_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_nodes PRIMARY KEY (id)
  ) WITH (fillfactor = 50);

  CREATE TABLE IF NOT EXISTS agent_connections (
    organization_id text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    session_id text COLLATE "C" NOT NULL,
    node_id text COLLATE "C" NOT NULL,
    opened_at timestamptz(3) NOT NULL,
    closed_at timestamptz(3),
    CONSTRAINT pk_agent_connections PRIMARY KEY (organization_id, agent_id, id),${agentOf('fk_agent_connections_agent')}
  ) WITH (fillfactor = 70);
  CREATE INDEX IF NOT EXISTS ix_agent_connections_node ON agent_connections (node_id);
  CREATE INDEX IF NOT EXISTS ix_agent_connections_closed ON agent_connections (closed_at) WHERE closed_at IS NOT NULL;
`;

const HANDOFFS = `
  CREATE TABLE IF NOT EXISTS handoffs (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    group_id text COLLATE "C" NOT NULL,
    by_type text COLLATE "C" NOT NULL,
    by_id text COLLATE "C",
    by_name text,
    reason text,
    summary text,
    note text,
    previous_agent_id text COLLATE "C",
    began_at timestamptz(3) NOT NULL,
    queued_at timestamptz(3) NOT NULL,
    due_at timestamptz(3),
    on_unanswered text COLLATE "C" NOT NULL,
    unanswered_at timestamptz(3),
    ended_at timestamptz(3),
    outcome text COLLATE "C",
    how text COLLATE "C",
    agent_id text COLLATE "C",
    first_reply_at timestamptz(3),
    CONSTRAINT pk_handoffs PRIMARY KEY (organization_id, id),
    CONSTRAINT ck_handoffs_outcome CHECK (outcome IN ('ASSIGNED', 'RETURNED', 'MOVED', 'CLOSED')),
    CONSTRAINT ck_handoffs_ended CHECK ((ended_at IS NULL) = (outcome IS NULL)),${chatOf('fk_handoffs_chat')}
  ) WITH (fillfactor = 80);
  CREATE UNIQUE INDEX IF NOT EXISTS uq_handoffs_running ON handoffs (organization_id, chat_id) WHERE ended_at IS NULL;
  CREATE INDEX IF NOT EXISTS ix_handoffs_chat ON handoffs (organization_id, chat_id, id);
  CREATE INDEX IF NOT EXISTS ix_handoffs_began ON handoffs (organization_id, began_at);
  CREATE INDEX IF NOT EXISTS ix_handoffs_assigned ON handoffs (organization_id, group_id, ended_at) WHERE outcome = 'ASSIGNED';
  CREATE INDEX IF NOT EXISTS ix_handoffs_due ON handoffs (due_at) WHERE ended_at IS NULL AND unanswered_at IS NULL AND due_at IS NOT NULL;

  CREATE TABLE IF NOT EXISTS chat_offers (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    handoff_id text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    ended_at timestamptz(3),
    reason text COLLATE "C",
    CONSTRAINT pk_chat_offers PRIMARY KEY (organization_id, id),
    CONSTRAINT ck_chat_offers_reason CHECK (reason IN ('ACCEPTED', 'DECLINED', 'EXPIRED', 'WITHDRAWN')),
    CONSTRAINT ck_chat_offers_ended CHECK ((ended_at IS NULL) = (reason IS NULL)),${chatOf('fk_chat_offers_chat')},${agentOf('fk_chat_offers_agent')}
  ) WITH (fillfactor = 80);
  CREATE UNIQUE INDEX IF NOT EXISTS uq_chat_offers_pending ON chat_offers (organization_id, chat_id) WHERE ended_at IS NULL;
  CREATE INDEX IF NOT EXISTS ix_chat_offers_chat ON chat_offers (organization_id, chat_id, created_at);
  CREATE INDEX IF NOT EXISTS ix_chat_offers_agent ON chat_offers (organization_id, agent_id) WHERE ended_at IS NULL;
  CREATE INDEX IF NOT EXISTS ix_chat_offers_due ON chat_offers (expires_at) WHERE ended_at IS NULL;
`;

const WRITING = `
  CREATE TABLE IF NOT EXISTS notes (
    organization_id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    content text NOT NULL,
    author_id text COLLATE "C" NOT NULL,
    author_name text NOT NULL,
    after_seq integer NOT NULL,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_notes PRIMARY KEY (organization_id, chat_id, id),${chatOf('fk_notes_chat')}
  );

  CREATE TABLE IF NOT EXISTS canned_replies (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    shortcut text COLLATE "C" NOT NULL,
    content text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_canned_replies PRIMARY KEY (organization_id, id),
    CONSTRAINT uq_canned_replies_shortcut UNIQUE (organization_id, shortcut),
    CONSTRAINT fk_canned_replies_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  );
`;
