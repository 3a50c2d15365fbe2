-- The tables of Chatwoot 4 that an import reads, with all columns of its db/schema.rb (version 2025_08_16_044639), and its triggers.
CREATE TABLE accounts (
  id serial PRIMARY KEY, name varchar NOT NULL, created_at timestamp NOT NULL, updated_at timestamp NOT NULL, locale integer DEFAULT 0,
  domain varchar(100), support_email varchar(100), feature_flags bigint NOT NULL DEFAULT 0, auto_resolve_duration integer,
  limits jsonb DEFAULT '{}', custom_attributes jsonb DEFAULT '{}', status integer DEFAULT 0, internal_attributes jsonb NOT NULL DEFAULT '{}',
  settings jsonb DEFAULT '{}'
);
CREATE TABLE users (
  id serial PRIMARY KEY, provider varchar NOT NULL DEFAULT 'email', uid varchar NOT NULL DEFAULT '', encrypted_password varchar NOT NULL DEFAULT '',
  sign_in_count integer NOT NULL DEFAULT 0, name varchar NOT NULL, display_name varchar, email varchar, tokens json, created_at timestamp NOT NULL,
  updated_at timestamp NOT NULL, pubsub_token varchar, availability integer DEFAULT 0, ui_settings jsonb DEFAULT '{}',
  custom_attributes jsonb DEFAULT '{}', type varchar, message_signature text
);
CREATE TABLE account_users (
  id bigserial PRIMARY KEY, account_id bigint, user_id bigint, role integer DEFAULT 0, inviter_id bigint, created_at timestamp(6) NOT NULL,
  updated_at timestamp(6) NOT NULL, active_at timestamp, availability integer NOT NULL DEFAULT 0, auto_offline boolean NOT NULL DEFAULT true,
  custom_role_id bigint, agent_capacity_policy_id bigint
);
CREATE TABLE teams (
  id bigserial PRIMARY KEY, name varchar NOT NULL, description text, allow_auto_assign boolean DEFAULT true, account_id bigint NOT NULL,
  created_at timestamp(6) NOT NULL, updated_at timestamp(6) NOT NULL
);
CREATE TABLE inboxes (
  id serial PRIMARY KEY, channel_id integer NOT NULL, account_id integer NOT NULL, name varchar NOT NULL, created_at timestamp NOT NULL,
  updated_at timestamp NOT NULL, channel_type varchar, enable_auto_assignment boolean DEFAULT true, greeting_enabled boolean DEFAULT false,
  greeting_message varchar, email_address varchar, csat_config jsonb NOT NULL DEFAULT '{}'
);
CREATE TABLE agent_bots (
  id bigserial PRIMARY KEY, name varchar, description varchar, outgoing_url varchar, created_at timestamp(6) NOT NULL, updated_at timestamp(6) NOT NULL,
  account_id bigint, bot_type integer DEFAULT 0, bot_config jsonb DEFAULT '{}'
);
CREATE TABLE captain_assistants (
  id bigserial PRIMARY KEY, name varchar NOT NULL, account_id bigint NOT NULL, description varchar, created_at timestamp(6) NOT NULL,
  updated_at timestamp(6) NOT NULL, config jsonb NOT NULL DEFAULT '{}', response_guidelines jsonb DEFAULT '[]', guardrails jsonb DEFAULT '[]'
);
CREATE TABLE contacts (
  id serial PRIMARY KEY, name varchar DEFAULT '', email varchar, phone_number varchar, account_id integer NOT NULL, created_at timestamp NOT NULL,
  updated_at timestamp NOT NULL, additional_attributes jsonb DEFAULT '{}', identifier varchar, custom_attributes jsonb DEFAULT '{}',
  last_activity_at timestamp, contact_type integer DEFAULT 0, middle_name varchar DEFAULT '', last_name varchar DEFAULT '',
  location varchar DEFAULT '', country_code varchar DEFAULT '', blocked boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX uniq_email_per_account_contact ON contacts (email, account_id);
CREATE UNIQUE INDEX uniq_identifier_per_account_contact ON contacts (identifier, account_id);
CREATE TABLE contact_inboxes (
  id bigserial PRIMARY KEY, contact_id bigint, inbox_id bigint, source_id varchar NOT NULL, created_at timestamp(6) NOT NULL,
  updated_at timestamp(6) NOT NULL, hmac_verified boolean DEFAULT false, pubsub_token varchar
);
CREATE TABLE conversations (
  id serial PRIMARY KEY, account_id integer NOT NULL, inbox_id integer NOT NULL, status integer NOT NULL DEFAULT 0, assignee_id integer,
  created_at timestamp NOT NULL, updated_at timestamp NOT NULL, contact_id bigint, display_id integer NOT NULL, contact_last_seen_at timestamp,
  agent_last_seen_at timestamp, additional_attributes jsonb DEFAULT '{}', contact_inbox_id bigint, uuid uuid NOT NULL DEFAULT gen_random_uuid(),
  identifier varchar, last_activity_at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP, team_id bigint, campaign_id bigint, snoozed_until timestamp,
  custom_attributes jsonb DEFAULT '{}', assignee_last_seen_at timestamp, first_reply_created_at timestamp, priority integer, sla_policy_id bigint,
  waiting_since timestamp(6), cached_label_list text
);
CREATE UNIQUE INDEX index_conversations_on_account_id_and_display_id ON conversations (account_id, display_id);
CREATE TABLE messages (
  id serial PRIMARY KEY, content text, account_id integer NOT NULL, inbox_id integer NOT NULL, conversation_id integer NOT NULL,
  message_type integer NOT NULL, created_at timestamp NOT NULL, updated_at timestamp NOT NULL, private boolean NOT NULL DEFAULT false,
  status integer DEFAULT 0, source_id varchar, content_type integer NOT NULL DEFAULT 0, content_attributes json DEFAULT '{}', sender_type varchar,
  sender_id bigint, external_source_ids jsonb DEFAULT '{}', additional_attributes jsonb DEFAULT '{}', processed_message_content text,
  sentiment jsonb DEFAULT '{}'
);
CREATE INDEX index_messages_on_conversation_id ON messages (conversation_id);
CREATE TABLE attachments (
  id serial PRIMARY KEY, file_type integer DEFAULT 0, external_url varchar, coordinates_lat float DEFAULT 0, coordinates_long float DEFAULT 0,
  message_id integer NOT NULL, account_id integer NOT NULL, created_at timestamp NOT NULL, updated_at timestamp NOT NULL, fallback_title varchar,
  extension varchar, meta jsonb DEFAULT '{}'
);
CREATE TABLE active_storage_blobs (
  id bigserial PRIMARY KEY, key varchar NOT NULL, filename varchar NOT NULL, content_type varchar, metadata text, byte_size bigint NOT NULL,
  checksum varchar, created_at timestamp NOT NULL, service_name varchar NOT NULL
);
CREATE TABLE active_storage_attachments (
  id bigserial PRIMARY KEY, name varchar NOT NULL, record_type varchar NOT NULL, record_id bigint NOT NULL,
  blob_id bigint NOT NULL REFERENCES active_storage_blobs, created_at timestamp NOT NULL
);
CREATE TABLE labels (
  id bigserial PRIMARY KEY, title varchar, description text, color varchar NOT NULL DEFAULT '#1f93ff', show_on_sidebar boolean, account_id bigint,
  created_at timestamp(6) NOT NULL, updated_at timestamp(6) NOT NULL
);
CREATE TABLE tags (id serial PRIMARY KEY, name varchar, taggings_count integer DEFAULT 0);
CREATE TABLE taggings (
  id serial PRIMARY KEY, tag_id integer, taggable_type varchar, taggable_id integer, tagger_type varchar, tagger_id integer, context varchar(128),
  created_at timestamp
);
CREATE FUNCTION accounts_after_insert_row_tr() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN EXECUTE format('create sequence IF NOT EXISTS conv_dpid_seq_%s', NEW.id); RETURN NULL; END $$;
CREATE TRIGGER accounts_after_insert_row_tr AFTER INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION accounts_after_insert_row_tr();
CREATE FUNCTION conversations_before_insert_row_tr() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN NEW.display_id := nextval('conv_dpid_seq_' || NEW.account_id); RETURN NEW; END $$;
CREATE TRIGGER conversations_before_insert_row_tr BEFORE INSERT ON conversations FOR EACH ROW EXECUTE FUNCTION conversations_before_insert_row_tr();
