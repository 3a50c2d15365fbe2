import type { MigrationInterface, QueryRunner } from 'typeorm';
import { FOLD_TEXT } from './functions/fold-text.js';
import { createAll } from './support/create-table.js';

/** Visitors and their chats, what's said in them, and who has them. */
export class Chats1766270002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createAll(runner, STATEMENTS);
  }

  async down(): Promise<void> {
    throw new Error('no schema comes before the first one');
  }
}

const STATEMENTS = [
  FOLD_TEXT,
  // Kept anonymous visitors leave the index of silent ones when they're first checked. A range of texts that begin alike is one only in the
  // order of their bytes.
  `CREATE TABLE visitors (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    name text,
    email text,
    metadata json,
    external_id text COLLATE "C",
    created_at timestamptz(3) NOT NULL,
    erasing_since timestamptz(3),
    signed_at timestamptz(3),
    is_kept boolean NOT NULL DEFAULT false,
    verified_email text,
    attributes json,
    attributes_at timestamptz(3),
    verified_attributes json,
    CONSTRAINT pk_visitors PRIMARY KEY (organization_id, id),
    CONSTRAINT uq_visitors_external_id UNIQUE (organization_id, external_id),
    CONSTRAINT fk_visitors_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_visitors_erasing ON visitors (organization_id, id) WHERE erasing_since IS NOT NULL`,
  `CREATE INDEX ix_visitors_folded_email ON visitors (organization_id, fold_text(email) COLLATE "C", id) WHERE email IS NOT NULL`,
  `CREATE INDEX ix_visitors_folded_last_word ON visitors (organization_id, fold_text(split_part(name, ' ', -1)) COLLATE "C", id)
    WHERE name IS NOT NULL`,
  `CREATE INDEX ix_visitors_folded_name ON visitors (organization_id, fold_text(name) COLLATE "C", id) WHERE name IS NOT NULL`,
  `CREATE INDEX ix_visitors_silent ON visitors (organization_id, id) WHERE external_id IS NULL AND NOT is_kept`,
  `CREATE TABLE visitor_blocks (
    organization_id text COLLATE "C" NOT NULL,
    visitor_id text COLLATE "C" NOT NULL,
    until timestamptz(3),
    reason text,
    agent_id text COLLATE "C" NOT NULL,
    agent_name text NOT NULL,
    blocked_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_visitor_blocks PRIMARY KEY (organization_id, visitor_id),
    CONSTRAINT fk_visitor_blocks_visitor FOREIGN KEY (organization_id, visitor_id) REFERENCES visitors (organization_id, id) ON DELETE CASCADE
  )`,
  `CREATE TABLE ended_visitor_tokens (
    organization_id text COLLATE "C" NOT NULL,
    token_id text COLLATE "C" NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_ended_visitor_tokens PRIMARY KEY (organization_id, token_id),
    CONSTRAINT fk_ended_visitor_tokens_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_ended_visitor_tokens_expires_at ON ended_visitor_tokens (expires_at)`,
  // No index is on a column that a message changes, and each page keeps free space: so an append stays a HOT update. Ended chats grow
  // without end in every group, so chats of all groups have an index too. `activity_slot` is the ten minutes of the last message.
  `CREATE TABLE chats (
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
    erased_at timestamptz(3),
    deleted_seq integer NOT NULL DEFAULT 0,
    last_agent_id text COLLATE "C",
    queued_at timestamptz(3),
    rev integer NOT NULL DEFAULT 0,
    waiting_since timestamptz(3),
    last_visitor_seq integer NOT NULL DEFAULT 0,
    assigned_at timestamptz(3),
    agent_replied_at timestamptz(3),
    agent_wrote_at timestamptz(3),
    agent_left_at timestamptz(3),
    channel text COLLATE "C" NOT NULL DEFAULT 'WIDGET',
    change_epoch bigint,
    activity_slot timestamptz(3),
    snoozed_by text COLLATE "C",
    snoozed_until timestamptz(3),
    title text,
    ended_snooze_until timestamptz(3),
    has_tags boolean,
    ai_disclosure json,
    mails_to_check integer,
    bot_note json,
    bot_note_at timestamptz(3),
    attributes json,
    attributes_at timestamptz(3),
    stopped_seq integer,
    stopped_at timestamptz(3),
    CONSTRAINT pk_chats PRIMARY KEY (organization_id, id),
    CONSTRAINT fk_chats_agent FOREIGN KEY (organization_id, agent_id) REFERENCES agents (organization_id, id) DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT fk_chats_group FOREIGN KEY (organization_id, group_id) REFERENCES groups (organization_id, id) DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT fk_chats_visitor FOREIGN KEY (organization_id, visitor_id) REFERENCES visitors (organization_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_chats_agent CHECK (agent_id IS NULL OR status = 'ACTIVE'),
    CONSTRAINT ck_chats_status CHECK (status IN ('ACTIVE', 'QUEUED', 'CLOSED', 'ARCHIVED'))
  ) WITH (fillfactor = 70)`,
  `CREATE INDEX ix_chats_agent ON chats (organization_id, agent_id) WHERE agent_id IS NOT NULL`,
  `CREATE INDEX ix_chats_bot_activity ON chats (organization_id, group_id, COALESCE(activity_slot, date_bin('10 minutes', created_at, TIMESTAMPTZ '2000-01-01 UTC')))
    WHERE status = 'ACTIVE' AND agent_id IS NULL AND erased_at IS NULL`,
  `CREATE INDEX ix_chats_ended ON chats (organization_id, group_id, status_changed_at, id)
    WHERE status IN ('CLOSED', 'ARCHIVED') AND erased_at IS NULL`,
  `CREATE INDEX ix_chats_ended_of_agent ON chats (organization_id, last_agent_id, status_changed_at, id)
    WHERE status IN ('CLOSED', 'ARCHIVED') AND erased_at IS NULL`,
  `CREATE INDEX ix_chats_ended_of_all ON chats (organization_id, status_changed_at, id)
    WHERE status IN ('CLOSED', 'ARCHIVED') AND erased_at IS NULL`,
  `CREATE INDEX ix_chats_group ON chats (organization_id, group_id)`,
  `CREATE INDEX ix_chats_open_activity ON chats (organization_id, group_id, COALESCE(activity_slot, date_bin('10 minutes', created_at, TIMESTAMPTZ '2000-01-01 UTC')))
    WHERE status IN ('ACTIVE', 'QUEUED') AND erased_at IS NULL`,
  `CREATE INDEX ix_chats_snoozed ON chats (snoozed_until) WHERE snoozed_until IS NOT NULL`,
  `CREATE INDEX ix_chats_status ON chats (organization_id, status, id)`,
  `CREATE INDEX ix_chats_tagged ON chats (organization_id, group_id, id) WHERE has_tags AND erased_at IS NULL`,
  `CREATE INDEX ix_chats_visitor ON chats (organization_id, visitor_id, id)`,
  `CREATE INDEX ix_chats_waiting ON chats (organization_id, group_id, queued_at, id) WHERE status = 'QUEUED' AND erased_at IS NULL`,
  // Without a foreign key, whose check every new message would pay for: a trigger removes the messages of a deleted chat. An index has
  // only the messages that can be answered, so others cost nothing.
  `CREATE TABLE messages (
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
    deleted_at timestamptz(3),
    files json,
    sender_is_ai boolean,
    CONSTRAINT pk_messages PRIMARY KEY (organization_id, chat_id, seq)
  )`,
  `CREATE INDEX ix_messages_of_agent ON messages (organization_id, sender_id, created_at, chat_id) WHERE sender_type = 'AGENT'`,
  `CREATE INDEX ix_messages_offers ON messages (organization_id, chat_id, id) WHERE type IN ('QUICK_REPLY', 'BUTTON')`,
  `CREATE UNIQUE INDEX uq_messages_client_message_id ON messages (organization_id, sender_id, client_message_id)
    WHERE client_message_id IS NOT NULL`,
  `CREATE TABLE idempotency_keys (
    organization_id text COLLATE "C" NOT NULL,
    bot_id text COLLATE "C" NOT NULL,
    endpoint text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    fingerprint bytea NOT NULL,
    response json NOT NULL,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_idempotency_keys PRIMARY KEY (organization_id, bot_id, endpoint, key)
  )`,
  `CREATE INDEX ix_idempotency_keys_created_at ON idempotency_keys (created_at)`,
  `CREATE INDEX ix_idempotency_keys_transfer ON idempotency_keys (organization_id, (response ->> 'chatId'))
    WHERE endpoint = 'transfer'`,
  // A table of its own, because every message locks the chat's row.
  `CREATE TABLE chat_reads (
    organization_id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    side text COLLATE "C" NOT NULL,
    seq integer NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_chat_reads PRIMARY KEY (organization_id, chat_id, side),
    CONSTRAINT fk_chat_reads_chat FOREIGN KEY (organization_id, chat_id) REFERENCES chats (organization_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_chat_reads_side CHECK (side IN ('visitor', 'organization', 'agents'))
  ) WITH (fillfactor = 70)`,
  `CREATE TABLE chat_followers (
    organization_id text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    followed_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_chat_followers PRIMARY KEY (organization_id, agent_id, chat_id),
    CONSTRAINT fk_chat_followers_agent FOREIGN KEY (organization_id, agent_id) REFERENCES agents (organization_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_chat_followers_chat FOREIGN KEY (organization_id, chat_id) REFERENCES chats (organization_id, id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_chat_followers_chat ON chat_followers (organization_id, chat_id)`,
  `CREATE TABLE handoffs (
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
    cause jsonb,
    CONSTRAINT pk_handoffs PRIMARY KEY (organization_id, id),
    CONSTRAINT fk_handoffs_chat FOREIGN KEY (organization_id, chat_id) REFERENCES chats (organization_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_handoffs_ended CHECK ((ended_at IS NULL) = (outcome IS NULL)),
    CONSTRAINT ck_handoffs_outcome CHECK (outcome IN ('ASSIGNED', 'RETURNED', 'MOVED', 'CLOSED'))
  ) WITH (fillfactor = 80)`,
  `CREATE INDEX ix_handoffs_assigned ON handoffs (organization_id, group_id, ended_at) WHERE outcome = 'ASSIGNED'`,
  `CREATE INDEX ix_handoffs_began ON handoffs (organization_id, began_at)`,
  `CREATE INDEX ix_handoffs_chat ON handoffs (organization_id, chat_id, id)`,
  `CREATE INDEX ix_handoffs_due ON handoffs (due_at) WHERE ended_at IS NULL AND unanswered_at IS NULL AND due_at IS NOT NULL`,
  `CREATE INDEX ix_handoffs_of_agent ON handoffs (organization_id, agent_id, began_at) WHERE outcome = 'ASSIGNED'`,
  `CREATE UNIQUE INDEX uq_handoffs_running ON handoffs (organization_id, chat_id) WHERE ended_at IS NULL`,
  `CREATE TABLE chat_offers (
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
    CONSTRAINT fk_chat_offers_agent FOREIGN KEY (organization_id, agent_id) REFERENCES agents (organization_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_chat_offers_chat FOREIGN KEY (organization_id, chat_id) REFERENCES chats (organization_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_chat_offers_ended CHECK ((ended_at IS NULL) = (reason IS NULL)),
    CONSTRAINT ck_chat_offers_reason CHECK (reason IN ('ACCEPTED', 'DECLINED', 'EXPIRED', 'WITHDRAWN'))
  ) WITH (fillfactor = 80)`,
  `CREATE INDEX ix_chat_offers_chat ON chat_offers (organization_id, chat_id, created_at)`,
  `CREATE INDEX ix_chat_offers_due ON chat_offers (expires_at) WHERE ended_at IS NULL`,
  `CREATE INDEX ix_chat_offers_of_agent ON chat_offers (organization_id, agent_id, ended_at)`,
  `CREATE UNIQUE INDEX uq_chat_offers_pending ON chat_offers (organization_id, chat_id) WHERE ended_at IS NULL`,
  `CREATE TABLE notes (
    organization_id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    content text NOT NULL,
    author_id text COLLATE "C" NOT NULL,
    author_name text NOT NULL,
    after_seq integer NOT NULL,
    created_at timestamptz(3) NOT NULL,
    edited_at timestamptz(3),
    files json,
    CONSTRAINT pk_notes PRIMARY KEY (organization_id, chat_id, id),
    CONSTRAINT fk_notes_chat FOREIGN KEY (organization_id, chat_id) REFERENCES chats (organization_id, id) ON DELETE CASCADE
  )`,
  `CREATE TABLE note_mentions (
    organization_id text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    note_id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    seen_at timestamptz(3),
    CONSTRAINT pk_note_mentions PRIMARY KEY (organization_id, agent_id, note_id),
    CONSTRAINT fk_note_mentions_agent FOREIGN KEY (organization_id, agent_id) REFERENCES agents (organization_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_note_mentions_note FOREIGN KEY (organization_id, chat_id, note_id) REFERENCES notes (organization_id, chat_id, id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_note_mentions_note ON note_mentions (organization_id, chat_id, note_id)`,
  `CREATE INDEX ix_note_mentions_unseen ON note_mentions (organization_id, agent_id, note_id) WHERE seen_at IS NULL`,
  `CREATE TABLE ratings (
    organization_id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    score smallint NOT NULL,
    comment text,
    rated_at timestamptz(3) NOT NULL,
    changed_at timestamptz(3),
    change_count smallint NOT NULL DEFAULT 0,
    CONSTRAINT pk_ratings PRIMARY KEY (organization_id, chat_id),
    CONSTRAINT fk_ratings_chat FOREIGN KEY (organization_id, chat_id) REFERENCES chats (organization_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_ratings_score CHECK (score BETWEEN 1 AND 5)
  )`,
  `CREATE INDEX ix_ratings_rated ON ratings (organization_id, rated_at)`,
  `CREATE TABLE message_ratings (
    organization_id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    seq integer NOT NULL,
    message_id text COLLATE "C" NOT NULL,
    bot_id text COLLATE "C",
    rating text COLLATE "C" NOT NULL,
    comment text,
    rated_at timestamptz(3) NOT NULL,
    changed_at timestamptz(3),
    change_count smallint NOT NULL DEFAULT 0,
    CONSTRAINT pk_message_ratings PRIMARY KEY (organization_id, chat_id, seq),
    CONSTRAINT fk_message_ratings_chat FOREIGN KEY (organization_id, chat_id) REFERENCES chats (organization_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_message_ratings_rating CHECK (rating IN ('UP', 'DOWN'))
  )`,
  `CREATE INDEX ix_message_ratings_rated ON message_ratings (organization_id, rated_at)`,
  `CREATE TABLE person_requests (
    organization_id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    after_seq integer NOT NULL,
    requested_at timestamptz(3) NOT NULL,
    due_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_person_requests PRIMARY KEY (organization_id, chat_id),
    CONSTRAINT fk_person_requests_chat FOREIGN KEY (organization_id, chat_id) REFERENCES chats (organization_id, id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_person_requests_due ON person_requests (due_at)`,
  // A bot's rows outlive it until their chats are removed, so that deleting a bot stays cheap.
  `CREATE TABLE bot_states (
    organization_id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    bot_id text COLLATE "C" NOT NULL,
    state json NOT NULL,
    version integer NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_bot_states PRIMARY KEY (organization_id, chat_id, bot_id),
    CONSTRAINT fk_bot_states_chat FOREIGN KEY (organization_id, chat_id) REFERENCES chats (organization_id, id) ON DELETE CASCADE
  )`,
  `CREATE TABLE bot_silences (
    organization_id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    since timestamptz(3) NOT NULL,
    noticed_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_bot_silences PRIMARY KEY (organization_id, chat_id),
    CONSTRAINT fk_bot_silences_chat FOREIGN KEY (organization_id, chat_id) REFERENCES chats (organization_id, id) ON DELETE CASCADE
  )`,
  // For each row, because a plan for all deleted chats could read all messages. Chats are locked before messages, as everywhere.
  `CREATE FUNCTION remove_messages_of_chat() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM messages WHERE organization_id = OLD.organization_id AND chat_id = OLD.id;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER chats_remove_messages AFTER DELETE ON chats
    FOR EACH ROW
    EXECUTE FUNCTION remove_messages_of_chat()`,
  // A visitor's message makes the chat due, and a chat that leaves its agent is no longer snoozed.
  `CREATE FUNCTION end_snooze() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.agent_id IS DISTINCT FROM NEW.snoozed_by THEN
      NEW.snoozed_by := NULL;
      NEW.snoozed_until := NULL;
    ELSIF NEW.last_visitor_seq > OLD.last_visitor_seq THEN
      NEW.snoozed_until := LEAST(NEW.snoozed_until, clock_timestamp());
    END IF;
    RETURN NEW;
  END $$`,
  `CREATE TRIGGER chats_snooze_ends BEFORE UPDATE OF agent_id, last_visitor_seq ON chats
    FOR EACH ROW WHEN (NEW.snoozed_by IS NOT NULL AND (NEW.agent_id IS DISTINCT FROM NEW.snoozed_by OR NEW.last_visitor_seq > OLD.last_visitor_seq))
    EXECUTE FUNCTION end_snooze()`,
];
