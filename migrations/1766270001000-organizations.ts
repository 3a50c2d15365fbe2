import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createAll } from './support/create-table.js';

/** The installation, and organizations with their bots, groups, and agents. */
export class Organizations1766270001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createAll(runner, STATEMENTS);
  }

  async down(): Promise<void> {
    throw new Error('no schema comes before the first one');
  }
}

const STATEMENTS = [
  // The newest release that has started on this database, so that one that's too old for its schema is refused.
  `CREATE TABLE schema_release (
    id text COLLATE "C" NOT NULL,
    newest text COLLATE "C" NOT NULL,
    oldest text COLLATE "C" NOT NULL,
    CONSTRAINT pk_schema_release PRIMARY KEY (id),
    CONSTRAINT ck_schema_release_id CHECK (id = 'only'),
    CONSTRAINT ck_schema_release_numbers CHECK ((newest ~ '^[0-9]{1,6}([.][0-9]{1,6}){2}$') AND (oldest ~ '^[0-9]{1,6}([.][0-9]{1,6}){2}$'))
  )`,
  // A value that only the SECRET_KEY of this database opens, so that a start with another key is noticed.
  `CREATE TABLE secret_key_check (
    id text COLLATE "C" NOT NULL,
    sealed bytea NOT NULL,
    CONSTRAINT pk_secret_key_check PRIMARY KEY (id),
    CONSTRAINT ck_secret_key_check_id CHECK (id = 'only')
  )`,
  // The audit log of the installation. It has no foreign keys, because its entries outlive the organizations.
  `CREATE TABLE installation_entries (
    id text COLLATE "C" NOT NULL,
    at timestamptz(3) NOT NULL,
    actor_type text COLLATE "C" NOT NULL,
    actor_id text COLLATE "C",
    actor_name text,
    action text COLLATE "C" NOT NULL,
    target text COLLATE "C" NOT NULL,
    target_name text,
    details jsonb,
    CONSTRAINT pk_installation_entries PRIMARY KEY (id)
  )`,
  `CREATE INDEX ix_installation_entries_at ON installation_entries (at)`,
  `CREATE INDEX ix_installation_entries_target ON installation_entries (target, id)`,
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
  `CREATE TABLE nodes (
    id text COLLATE "C" NOT NULL,
    started_at timestamptz(3) NOT NULL,
    seen_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_nodes PRIMARY KEY (id)
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE organizations (
    id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    widget_key text COLLATE "C" NOT NULL,
    identity_secret bytea NOT NULL,
    allowed_origins text[] NOT NULL DEFAULT '{}',
    created_at timestamptz(3) NOT NULL,
    retention_days integer,
    deleted_at timestamptz(3),
    time_zone text NOT NULL DEFAULT 'UTC',
    typing_preview boolean NOT NULL DEFAULT false,
    widget_settings jsonb,
    office_hours json,
    widget_seen_at timestamptz(3),
    widget_seen_origin text,
    store_addresses boolean NOT NULL DEFAULT true,
    captcha jsonb,
    captcha_secret bytea,
    launcher_picture bytea,
    bot_picture bytea,
    away_after_minutes integer NOT NULL DEFAULT 0,
    bot_silence_seconds integer NOT NULL DEFAULT 120,
    bot_reply_seconds integer NOT NULL DEFAULT 0,
    only_own_chats boolean NOT NULL DEFAULT false,
    previous_identity_secret bytea,
    previous_identity_secret_expires_at timestamptz(3),
    remove_at timestamptz(3),
    removal_began_at timestamptz(3),
    visitor_uploads boolean NOT NULL DEFAULT false,
    file_quota bigint DEFAULT 10737418240,
    mail_settings jsonb,
    late_after_seconds integer NOT NULL DEFAULT 300,
    CONSTRAINT pk_organizations PRIMARY KEY (id),
    CONSTRAINT uq_organizations_widget_key UNIQUE (widget_key),
    CONSTRAINT ck_organizations_away_after_minutes CHECK (away_after_minutes BETWEEN 0 AND 480),
    CONSTRAINT ck_organizations_bot_reply_seconds CHECK (bot_reply_seconds BETWEEN 0 AND 86400),
    CONSTRAINT ck_organizations_bot_silence_seconds CHECK (bot_silence_seconds BETWEEN 0 AND 86400),
    CONSTRAINT ck_organizations_late_after_seconds CHECK (late_after_seconds BETWEEN 1 AND 86400),
    CONSTRAINT ck_organizations_retention_days CHECK (retention_days BETWEEN 1 AND 3650)
  )`,
  `CREATE INDEX ix_organizations_deleted ON organizations (id) WHERE deleted_at IS NOT NULL`,
  `CREATE INDEX ix_organizations_retention ON organizations (id) WHERE retention_days IS NOT NULL`,
  `CREATE INDEX ix_organizations_with_away ON organizations (id) WHERE away_after_minutes > 0`,
  `CREATE INDEX ix_organizations_with_bot_reply ON organizations (id) WHERE bot_reply_seconds > 0`,
  `CREATE TABLE bots (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    only_own_chats boolean NOT NULL DEFAULT false,
    is_ai boolean NOT NULL DEFAULT true,
    CONSTRAINT pk_bots PRIMARY KEY (organization_id, id),
    CONSTRAINT fk_bots_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  )`,
  `CREATE TABLE access_tokens (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    bot_id text COLLATE "C" NOT NULL,
    name text,
    token_hash bytea NOT NULL,
    last_four text NOT NULL,
    expires_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    last_used_at timestamptz(3),
    scopes text[],
    CONSTRAINT pk_access_tokens PRIMARY KEY (organization_id, id),
    CONSTRAINT uq_access_tokens_hash UNIQUE (token_hash),
    CONSTRAINT fk_access_tokens_bot FOREIGN KEY (organization_id, bot_id) REFERENCES bots (organization_id, id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_access_tokens_bot ON access_tokens (organization_id, bot_id)`,
  `CREATE INDEX ix_access_tokens_list ON access_tokens (organization_id, bot_id, id)`,
  `CREATE TABLE groups (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    is_default boolean NOT NULL DEFAULT false,
    created_at timestamptz(3) NOT NULL,
    routing text COLLATE "C" NOT NULL DEFAULT 'MANUAL',
    offer_seconds integer NOT NULL DEFAULT 30,
    max_wait_seconds integer NOT NULL DEFAULT 180,
    on_unanswered text COLLATE "C" NOT NULL DEFAULT 'KEEP',
    offline_reassign_seconds integer NOT NULL DEFAULT 120,
    max_pending_offers integer NOT NULL DEFAULT 2,
    bot_id text COLLATE "C",
    office_hours json,
    opens_at timestamptz(3),
    closes_at timestamptz(3),
    reopens_at timestamptz(3),
    hours_due_at timestamptz(3),
    CONSTRAINT pk_groups PRIMARY KEY (organization_id, id),
    CONSTRAINT fk_groups_bot FOREIGN KEY (organization_id, bot_id) REFERENCES bots (organization_id, id) ON DELETE SET NULL (bot_id),
    CONSTRAINT fk_groups_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
    CONSTRAINT ck_groups_on_unanswered CHECK (on_unanswered IN ('KEEP', 'RETURN_TO_BOT')),
    CONSTRAINT ck_groups_routing CHECK (routing IN ('MANUAL', 'OFFER', 'AUTOMATIC'))
  )`,
  `CREATE INDEX ix_groups_hours_due ON groups (hours_due_at) WHERE hours_due_at IS NOT NULL`,
  `CREATE UNIQUE INDEX uq_groups_default ON groups (organization_id) WHERE is_default`,
  `CREATE TABLE agents (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    email_key text COLLATE "C" NOT NULL,
    created_at timestamptz(3) NOT NULL,
    role text COLLATE "C" NOT NULL DEFAULT 'AGENT',
    capacity integer NOT NULL DEFAULT 6,
    is_enabled boolean NOT NULL DEFAULT true,
    avatar_url text,
    is_accepting boolean NOT NULL DEFAULT true,
    password_hash text,
    missed_offers integer NOT NULL DEFAULT 0,
    open_chats integer NOT NULL DEFAULT 0,
    pending_offers integer NOT NULL DEFAULT 0,
    last_assigned_at timestamptz(3),
    last_online_at timestamptz(3),
    groups_left_at timestamptz(3),
    last_miss_at timestamptz(3),
    pause_reason text COLLATE "C",
    active_at timestamptz(3),
    is_away boolean NOT NULL DEFAULT false,
    push_settings jsonb,
    mail_when_away boolean NOT NULL DEFAULT true,
    presence_at timestamptz(3),
    CONSTRAINT pk_agents PRIMARY KEY (organization_id, id),
    CONSTRAINT uq_agents_email UNIQUE (organization_id, email_key),
    CONSTRAINT fk_agents_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
    CONSTRAINT ck_agents_capacity CHECK (capacity BETWEEN 1 AND 100),
    CONSTRAINT ck_agents_role CHECK (role IN ('AGENT', 'SUPERVISOR', 'ADMIN'))
  )`,
  `CREATE INDEX ix_agents_email_key ON agents (email_key) WHERE password_hash IS NOT NULL`,
  `CREATE INDEX ix_agents_groups_left ON agents (groups_left_at) WHERE groups_left_at IS NOT NULL`,
  `CREATE TABLE agent_groups (
    organization_id text COLLATE "C" NOT NULL,
    group_id text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    CONSTRAINT pk_agent_groups PRIMARY KEY (organization_id, group_id, agent_id),
    CONSTRAINT fk_agent_groups_agent FOREIGN KEY (organization_id, agent_id) REFERENCES agents (organization_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_agent_groups_group FOREIGN KEY (organization_id, group_id) REFERENCES groups (organization_id, id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_agent_groups_agent ON agent_groups (organization_id, agent_id)`,
  // A session and a link are found by their token alone, so they have no key to agents, which are spread on a Citus cluster.
  `CREATE TABLE agent_sessions (
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
    CONSTRAINT uq_agent_sessions_hash UNIQUE (token_hash),
    CONSTRAINT fk_agent_sessions_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  ) WITH (fillfactor = 70)`,
  `CREATE INDEX ix_agent_sessions_agent ON agent_sessions (organization_id, agent_id)`,
  `CREATE INDEX ix_agent_sessions_expiry ON agent_sessions (expires_at)`,
  `CREATE INDEX ix_agent_sessions_network ON agent_sessions (organization_id, agent_id, source_network, created_at)`,
  `CREATE TABLE sign_in_links (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    token_hash bytea NOT NULL,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_sign_in_links PRIMARY KEY (organization_id, id),
    CONSTRAINT uq_sign_in_links_hash UNIQUE (token_hash),
    CONSTRAINT fk_sign_in_links_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_sign_in_links_agent ON sign_in_links (organization_id, agent_id)`,
  `CREATE INDEX ix_sign_in_links_expiry ON sign_in_links (expires_at)`,
  `CREATE TABLE sign_in_failures (
    email_hash bytea NOT NULL,
    source_network text COLLATE "C" NOT NULL,
    failures integer NOT NULL,
    window_began_at timestamptz(3) NOT NULL,
    blocked_until timestamptz(3),
    CONSTRAINT pk_sign_in_failures PRIMARY KEY (email_hash, source_network)
  ) WITH (fillfactor = 70)`,
  `CREATE INDEX ix_sign_in_failures_window ON sign_in_failures (window_began_at)`,
  `CREATE TABLE forgiven_failures (
    organization_id text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    source_network text COLLATE "C" NOT NULL,
    failures integer NOT NULL,
    window_began_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_forgiven_failures PRIMARY KEY (organization_id, agent_id, source_network),
    CONSTRAINT fk_forgiven_failures_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_forgiven_failures_window ON forgiven_failures (window_began_at)`,
  `CREATE TABLE agent_connections (
    organization_id text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    session_id text COLLATE "C" NOT NULL,
    node_id text COLLATE "C" NOT NULL,
    opened_at timestamptz(3) NOT NULL,
    closed_at timestamptz(3),
    is_visible boolean NOT NULL DEFAULT false,
    CONSTRAINT pk_agent_connections PRIMARY KEY (organization_id, agent_id, id),
    CONSTRAINT fk_agent_connections_agent FOREIGN KEY (organization_id, agent_id) REFERENCES agents (organization_id, id) ON DELETE CASCADE
  ) WITH (fillfactor = 70)`,
  `CREATE INDEX ix_agent_connections_closed ON agent_connections (closed_at) WHERE closed_at IS NOT NULL`,
  `CREATE INDEX ix_agent_connections_node ON agent_connections (node_id)`,
  `CREATE TABLE canned_replies (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    shortcut text COLLATE "C" NOT NULL,
    content text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    agent_id text COLLATE "C",
    group_id text COLLATE "C",
    language text COLLATE "C",
    action text COLLATE "C",
    action_group_id text COLLATE "C",
    CONSTRAINT pk_canned_replies PRIMARY KEY (organization_id, id),
    CONSTRAINT fk_canned_replies_agent FOREIGN KEY (organization_id, agent_id) REFERENCES agents (organization_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_canned_replies_group FOREIGN KEY (organization_id, group_id) REFERENCES groups (organization_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_canned_replies_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  )`,
  `CREATE UNIQUE INDEX uq_canned_replies_shortcut ON canned_replies (organization_id, COALESCE(agent_id, ''), shortcut, COALESCE(language, ''))`,
  `CREATE TABLE saved_views (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C",
    name text NOT NULL,
    query text NOT NULL,
    position integer NOT NULL,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_saved_views PRIMARY KEY (organization_id, id),
    CONSTRAINT fk_saved_views_agent FOREIGN KEY (organization_id, agent_id) REFERENCES agents (organization_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_saved_views_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  )`,
  `ALTER TABLE saved_views ALTER COLUMN name SET STATISTICS 0, ALTER COLUMN query SET STATISTICS 0`,
  `CREATE INDEX ix_saved_views_agent ON saved_views (organization_id, agent_id)`,
  `CREATE TABLE audit_entries (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    at timestamptz(3) NOT NULL,
    actor_type text COLLATE "C" NOT NULL,
    actor_id text COLLATE "C",
    actor_name text,
    action text COLLATE "C" NOT NULL,
    target text COLLATE "C",
    source_address text,
    target_name text,
    changes jsonb,
    CONSTRAINT pk_audit_entries PRIMARY KEY (organization_id, id),
    CONSTRAINT fk_audit_entries_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_audit_entries_at ON audit_entries (at)`,
  `CREATE INDEX ix_audit_entries_of_action ON audit_entries (organization_id, action, id)`,
  `CREATE INDEX ix_audit_entries_of_actor ON audit_entries (organization_id, COALESCE(actor_id, actor_type), id)`,
  `CREATE INDEX ix_audit_entries_of_target ON audit_entries (organization_id, target, id)`,
  `CREATE INDEX ix_audit_entries_target ON audit_entries (organization_id, target, action, at)`,
  `CREATE INDEX ix_audit_entries_with_address ON audit_entries (organization_id, id) WHERE source_address IS NOT NULL`,
  // "Exactly one default group" needs two constraints: a partial unique index forbids two, these deferred triggers forbid none. They fire only
  // for an organization that loses a default group or is inserted.
  `CREATE FUNCTION require_default_group() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    organization text := CASE TG_TABLE_NAME WHEN 'groups' THEN to_jsonb(OLD)->>'organization_id' ELSE to_jsonb(NEW)->>'id' END;
  BEGIN
    IF EXISTS (SELECT FROM organizations WHERE id = organization)
       AND NOT EXISTS (SELECT FROM groups WHERE organization_id = organization AND is_default) THEN
      RAISE EXCEPTION 'organization % must have a default group', organization
        USING ERRCODE = 'check_violation', CONSTRAINT = 'ck_organizations_default_group';
    END IF;
    RETURN NULL;
  END $$`,
  `CREATE FUNCTION require_default_groups() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT FROM organizations) THEN
      RAISE EXCEPTION 'every organization must have a default group'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'ck_organizations_default_group';
    END IF;
    RETURN NULL;
  END $$`,
  `CREATE CONSTRAINT TRIGGER organizations_default_group AFTER INSERT ON organizations DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW
    EXECUTE FUNCTION require_default_group()`,
  `CREATE CONSTRAINT TRIGGER groups_default_group AFTER DELETE OR UPDATE OF is_default, organization_id ON groups DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (OLD.is_default)
    EXECUTE FUNCTION require_default_group()`,
  `CREATE TRIGGER groups_truncate AFTER TRUNCATE ON groups
    FOR EACH STATEMENT
    EXECUTE FUNCTION require_default_groups()`,
];
