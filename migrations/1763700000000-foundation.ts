import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organizations and their members, chats, messages and idempotency keys. */
export class Foundation1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TENANT);
    await runner.query(DEFAULT_GROUP);
    await runner.query(CHATS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE idempotency_keys, messages, chats, visitors, access_tokens, bots, agent_groups, agents, groups, organizations;
      DROP FUNCTION require_default_group(), require_default_groups();
    `);
  }
}

const TENANT = `
  CREATE TABLE organizations (
    id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    widget_key text COLLATE "C" NOT NULL,
    identity_secret bytea NOT NULL,
    allowed_origins text[] NOT NULL DEFAULT '{}',
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_organizations PRIMARY KEY (id),
    CONSTRAINT uq_organizations_widget_key UNIQUE (widget_key)
  );

  CREATE TABLE groups (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    is_default boolean NOT NULL DEFAULT false,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_groups PRIMARY KEY (organization_id, id),
    CONSTRAINT fk_groups_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  );
  CREATE UNIQUE INDEX uq_groups_default ON groups (organization_id) WHERE is_default;

  CREATE TABLE agents (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    email_key text COLLATE "C" NOT NULL,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_agents PRIMARY KEY (organization_id, id),
    CONSTRAINT uq_agents_email UNIQUE (organization_id, email_key),
    CONSTRAINT fk_agents_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  );

  CREATE TABLE agent_groups (
    organization_id text COLLATE "C" NOT NULL,
    group_id text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    CONSTRAINT pk_agent_groups PRIMARY KEY (organization_id, group_id, agent_id),
    CONSTRAINT fk_agent_groups_group FOREIGN KEY (organization_id, group_id)
      REFERENCES groups (organization_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_agent_groups_agent FOREIGN KEY (organization_id, agent_id)
      REFERENCES agents (organization_id, id) ON DELETE CASCADE
  );
  CREATE INDEX ix_agent_groups_agent ON agent_groups (organization_id, agent_id);

  CREATE TABLE bots (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_bots PRIMARY KEY (organization_id, id),
    CONSTRAINT fk_bots_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  );

  CREATE TABLE access_tokens (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    bot_id text COLLATE "C" NOT NULL,
    name text,
    token_hash bytea NOT NULL,
    last_four text NOT NULL,
    expires_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    last_used_at timestamptz(3),
    CONSTRAINT pk_access_tokens PRIMARY KEY (organization_id, id),
    CONSTRAINT uq_access_tokens_hash UNIQUE (token_hash),
    CONSTRAINT fk_access_tokens_bot FOREIGN KEY (organization_id, bot_id)
      REFERENCES bots (organization_id, id) ON DELETE CASCADE
  );
  CREATE INDEX ix_access_tokens_bot ON access_tokens (organization_id, bot_id);
`;

// "Exactly one default group" needs two constraints: the partial unique index above forbids two, these deferred
// triggers forbid none. The triggers fire only for an organization that loses a default group or is inserted.
const DEFAULT_GROUP = `
  CREATE FUNCTION require_default_group() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    organization text := CASE TG_TABLE_NAME WHEN 'groups' THEN to_jsonb(OLD)->>'organization_id' ELSE to_jsonb(NEW)->>'id' END;
  BEGIN
    IF EXISTS (SELECT FROM organizations WHERE id = organization)
       AND NOT EXISTS (SELECT FROM groups WHERE organization_id = organization AND is_default) THEN
      RAISE EXCEPTION 'organization % must have a default group', organization
        USING ERRCODE = 'check_violation', CONSTRAINT = 'ck_organizations_default_group';
    END IF;
    RETURN NULL;
  END $$;

  CREATE FUNCTION require_default_groups() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT FROM organizations) THEN
      RAISE EXCEPTION 'every organization must have a default group'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'ck_organizations_default_group';
    END IF;
    RETURN NULL;
  END $$;

  CREATE CONSTRAINT TRIGGER organizations_default_group AFTER INSERT ON organizations
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_default_group();
  CREATE CONSTRAINT TRIGGER groups_default_group AFTER DELETE OR UPDATE OF is_default, organization_id ON groups
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.is_default) EXECUTE FUNCTION require_default_group();
  CREATE TRIGGER groups_truncate AFTER TRUNCATE ON groups
    FOR EACH STATEMENT EXECUTE FUNCTION require_default_groups();
`;

// No index is on a column that a message changes, and each page keeps free space: so an append stays a HOT update.
const CHATS = `
  CREATE TABLE visitors (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    name text,
    email text,
    metadata json,
    external_id text COLLATE "C",
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_visitors PRIMARY KEY (organization_id, id),
    CONSTRAINT uq_visitors_external_id UNIQUE (organization_id, external_id),
    CONSTRAINT fk_visitors_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  );

  CREATE TABLE chats (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    visitor_id text COLLATE "C" NOT NULL,
    group_id text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C",
    status text COLLATE "C" NOT NULL,
    status_changed_at timestamptz(3) NOT NULL,
    metadata json,
    message_count integer NOT NULL DEFAULT 0,
    last_message_at timestamptz(3),
    first_response_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_chats PRIMARY KEY (organization_id, id),
    CONSTRAINT ck_chats_status CHECK (status IN ('ACTIVE', 'QUEUED', 'CLOSED', 'ARCHIVED')),
    CONSTRAINT fk_chats_visitor FOREIGN KEY (organization_id, visitor_id)
      REFERENCES visitors (organization_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_chats_group FOREIGN KEY (organization_id, group_id)
      REFERENCES groups (organization_id, id) DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT fk_chats_agent FOREIGN KEY (organization_id, agent_id)
      REFERENCES agents (organization_id, id) DEFERRABLE INITIALLY DEFERRED
  ) WITH (fillfactor = 70);
  CREATE INDEX ix_chats_visitor ON chats (organization_id, visitor_id, id);
  CREATE INDEX ix_chats_status ON chats (organization_id, status, id);
  CREATE INDEX ix_chats_group ON chats (organization_id, group_id);
  CREATE INDEX ix_chats_agent ON chats (organization_id, agent_id) WHERE agent_id IS NOT NULL;

  CREATE TABLE messages (
    organization_id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    seq integer NOT NULL,
    id text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    content text NOT NULL,
    metadata json,
    sender_type text COLLATE "C" NOT NULL,
    sender_id text COLLATE "C",
    sender_name text,
    reply_to_message_id text COLLATE "C",
    reply_to_value text,
    client_message_id text COLLATE "C",
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_messages PRIMARY KEY (organization_id, chat_id, seq),
    CONSTRAINT fk_messages_chat FOREIGN KEY (organization_id, chat_id)
      REFERENCES chats (organization_id, id) ON DELETE CASCADE
  );
  CREATE UNIQUE INDEX uq_messages_client_message_id ON messages (organization_id, sender_id, client_message_id)
    WHERE client_message_id IS NOT NULL;

  CREATE TABLE idempotency_keys (
    organization_id text COLLATE "C" NOT NULL,
    bot_id text COLLATE "C" NOT NULL,
    endpoint text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    fingerprint bytea NOT NULL,
    response json NOT NULL,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_idempotency_keys PRIMARY KEY (organization_id, bot_id, endpoint, key)
  );
  CREATE INDEX ix_idempotency_keys_created_at ON idempotency_keys (created_at);
`;
