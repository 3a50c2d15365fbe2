import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createAll } from './support/create-table.js';

/** Changes of chats, tags, attributes, and the search index. */
export class Finding1766270005000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createAll(runner, STATEMENTS);
  }

  async down(): Promise<void> {
    throw new Error('no schema comes before the first one');
  }
}

// Lets the planner expect all rows of the search index in one organization. With its own guess, which is the average organization, it read
// every row of a large one for each search, to combine them with the matches of the index of words. Citus doesn't pass this setting on.
const SET_DISTINCT = `
  DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
      ALTER TABLE search_entries ALTER COLUMN organization_id SET (n_distinct = 1);
    END IF;
  END $$`;

const STATEMENTS = [
  'CREATE SEQUENCE change_epoch',
  // What changed in an organization's chats, for indexes that follow them. `chat_changes` has no foreign key: its check would lock the
  // organization's row for a chat's message.
  `CREATE TABLE change_readers (
    organization_id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    epoch bigint NOT NULL,
    subject_id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C",
    CONSTRAINT pk_change_readers PRIMARY KEY (organization_id, name),
    CONSTRAINT fk_change_readers_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE chat_changes (
    organization_id text COLLATE "C" NOT NULL,
    epoch bigint NOT NULL,
    subject_id text COLLATE "C" NOT NULL,
    after_seq integer NOT NULL,
    CONSTRAINT pk_chat_changes PRIMARY KEY (organization_id, epoch, subject_id)
  )`,
  // Statistics would keep names after their tag was deleted.
  `CREATE TABLE tags (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    key text COLLATE "C" NOT NULL,
    color text COLLATE "C",
    created_at timestamptz(3) NOT NULL,
    renamed_to text COLLATE "C",
    removed_at timestamptz(3),
    merged_into text COLLATE "C",
    CONSTRAINT pk_tags PRIMARY KEY (organization_id, id),
    CONSTRAINT fk_tags_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  )`,
  `ALTER TABLE tags ALTER COLUMN name SET STATISTICS 0, ALTER COLUMN key SET STATISTICS 0`,
  `CREATE INDEX ix_tags_changing ON tags (organization_id, id) WHERE removed_at IS NOT NULL OR renamed_to IS NOT NULL`,
  `CREATE INDEX ix_tags_key ON tags (organization_id, key, id)`,
  `CREATE TABLE tag_names (
    organization_id text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    name text NOT NULL,
    tag_id text COLLATE "C" NOT NULL,
    retired_at timestamptz(3),
    CONSTRAINT pk_tag_names PRIMARY KEY (organization_id, key),
    CONSTRAINT fk_tag_names_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  )`,
  `ALTER TABLE tag_names ALTER COLUMN key SET STATISTICS 0, ALTER COLUMN name SET STATISTICS 0`,
  `CREATE INDEX ix_tag_names_tag ON tag_names (organization_id, tag_id)`,
  `CREATE TABLE chat_tags (
    organization_id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    tag_id text COLLATE "C" NOT NULL,
    CONSTRAINT pk_chat_tags PRIMARY KEY (organization_id, chat_id, tag_id),
    CONSTRAINT fk_chat_tags_chat FOREIGN KEY (organization_id, chat_id) REFERENCES chats (organization_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_chat_tags_tag FOREIGN KEY (organization_id, tag_id) REFERENCES tags (organization_id, id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_chat_tags_tag ON chat_tags (organization_id, tag_id, chat_id)`,
  `CREATE TABLE attribute_keys (
    organization_id text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    created_at timestamptz(3) NOT NULL,
    filled_to text COLLATE "C",
    ready_at timestamptz(3),
    removed_at timestamptz(3),
    CONSTRAINT pk_attribute_keys PRIMARY KEY (organization_id, key),
    CONSTRAINT fk_attribute_keys_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_attribute_keys_pending ON attribute_keys (organization_id, key) WHERE ready_at IS NULL OR removed_at IS NOT NULL`,
  // Hashes of the values that chats and visitors have. The subject of a value is a chat or a visitor, and has no foreign key, so triggers
  // remove its values. Statistics would keep hashes after their values were erased.
  `CREATE TABLE attribute_values (
    organization_id text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    value_hash bytea NOT NULL,
    subject_id text COLLATE "C" NOT NULL,
    is_verified boolean NOT NULL,
    CONSTRAINT pk_attribute_values PRIMARY KEY (organization_id, key, value_hash, subject_id),
    CONSTRAINT fk_attribute_values_key FOREIGN KEY (organization_id, key) REFERENCES attribute_keys (organization_id, key) ON DELETE CASCADE
  )`,
  `ALTER TABLE attribute_values ALTER COLUMN value_hash SET STATISTICS 0`,
  `CREATE INDEX ix_attribute_values_subject ON attribute_values (organization_id, subject_id)`,
  // No foreign key: its check would lock chats, and retention skips locked ones. Without a list of pending entries, no statement has to work
  // through other statements' entries. Statistics would keep words after their message was erased.
  `CREATE TABLE search_entries (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    seq integer,
    created_at timestamptz(3) NOT NULL,
    words tsvector NOT NULL,
    CONSTRAINT pk_search_entries PRIMARY KEY (organization_id, id)
  )`,
  `ALTER TABLE search_entries ALTER COLUMN words SET STATISTICS 0`,
  SET_DISTINCT,
  `CREATE INDEX ix_search_entries_chat ON search_entries (organization_id, chat_id, created_at, id)`,
  `CREATE INDEX ix_search_entries_time ON search_entries (organization_id, created_at, id)`,
  `CREATE INDEX ix_search_entries_words ON search_entries USING gin (words) WITH (fastupdate=off)`,
  `CREATE TABLE search_leases (
    organization_id text COLLATE "C" NOT NULL,
    node_id text COLLATE "C" NOT NULL,
    leased_until timestamptz(3) NOT NULL,
    CONSTRAINT pk_search_leases PRIMARY KEY (organization_id),
    CONSTRAINT fk_search_leases_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  )`,
  // PostgreSQL puts its body in place of its call. A Citus cluster has another one, which reads the organization's own epoch (decision 23).
  `CREATE FUNCTION change_epoch_of(organization text) RETURNS bigint LANGUAGE sql AS $$
    SELECT pg_sequence_last_value('change_epoch') $$`,
  // The transactions that have locked a table, or on a Citus cluster one of its shards on the organization's worker, in the schema with the tables.
  `CREATE FUNCTION change_writers_1(organization text, among text[]) RETURNS TABLE(id text) LANGUAGE plpgsql AS $$
  BEGIN
    RETURN QUERY
    SELECT DISTINCT l.virtualtransaction FROM pg_locks l JOIN pg_class t ON t.oid = l.relation
    WHERE l.locktype = 'relation' AND l.mode = 'RowExclusiveLock'
      AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
      AND t.relnamespace = COALESCE((SELECT c.relnamespace FROM pg_class c WHERE c.oid = to_regclass('chats')), to_regnamespace('public')) AND t.relname ~ '^(chats|messages|visitors)(_[0-9]+)?$'
      AND (among IS NULL OR l.virtualtransaction = ANY (among));
  END $$`,
  // A chat that has a row in the current epoch needs no second one, so most messages only compare two numbers. A Citus cluster inserts a row of
  // values on one shard, but a row of a query with a condition on all of them.
  `CREATE FUNCTION record_change(organization text, current_epoch bigint, subject text, seq integer) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT FROM change_readers r WHERE r.organization_id = organization) THEN
      INSERT INTO chat_changes AS c (organization_id, epoch, subject_id, after_seq)
      VALUES (organization, current_epoch, subject, seq)
      ON CONFLICT (organization_id, epoch, subject_id) DO UPDATE SET after_seq = excluded.after_seq
        WHERE c.after_seq > excluded.after_seq;
    END IF;
  END $$`,
  // The epoch is read from the sequence, past the transaction's snapshot; it's null until something reads changes.
  `CREATE FUNCTION record_chat_change() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    current_epoch bigint := change_epoch_of(NEW.organization_id);
  BEGIN
    IF current_epoch IS NULL OR (NEW.change_epoch = current_epoch AND NEW.message_count >= OLD.message_count) THEN
      RETURN NEW;
    END IF;
    NEW.change_epoch := current_epoch;
    PERFORM record_change(NEW.organization_id, current_epoch, NEW.id, LEAST(OLD.message_count, NEW.message_count));
    RETURN NEW;
  END $$`,
  `CREATE FUNCTION record_chat_removal() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    current_epoch bigint := change_epoch_of(OLD.organization_id);
  BEGIN
    IF current_epoch IS NOT NULL THEN
      PERFORM record_change(OLD.organization_id, current_epoch, OLD.id, 0);
    END IF;
    RETURN OLD;
  END $$`,
  // Messages change when they become tombstones and when their chat is merged. Deleted messages lower the chat's message_count.
  `CREATE FUNCTION record_message_changes() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    change record;
    current_epoch bigint;
  BEGIN
    FOR change IN
      SELECT organization_id, chat_id, min(seq) - 1 AS after_seq FROM changed
      GROUP BY organization_id, chat_id ORDER BY organization_id, chat_id
    LOOP
      current_epoch := change_epoch_of(change.organization_id);
      IF current_epoch IS NOT NULL THEN
        PERFORM record_change(change.organization_id, current_epoch, change.chat_id, change.after_seq);
      END IF;
    END LOOP;
    RETURN NULL;
  END $$`,
  // Not of a visitor who is being erased: each of the visitor's chats changes, and no row may keep the visitor's id.
  `CREATE FUNCTION record_visitor_change() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    current_epoch bigint := change_epoch_of(NEW.organization_id);
  BEGIN
    IF current_epoch IS NOT NULL THEN
      PERFORM record_change(NEW.organization_id, current_epoch, NEW.id, 0);
    END IF;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER chats_changed BEFORE INSERT OR UPDATE ON chats
    FOR EACH ROW
    EXECUTE FUNCTION record_chat_change()`,
  `CREATE TRIGGER chats_removed BEFORE DELETE ON chats
    FOR EACH ROW
    EXECUTE FUNCTION record_chat_removal()`,
  `CREATE TRIGGER messages_changed AFTER UPDATE ON messages REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT
    EXECUTE FUNCTION record_message_changes()`,
  `CREATE TRIGGER visitors_changed AFTER UPDATE ON visitors
    FOR EACH ROW WHEN (NEW.erasing_since IS NULL AND (OLD.name IS DISTINCT FROM NEW.name OR OLD.email IS DISTINCT FROM NEW.email OR OLD.external_id IS DISTINCT FROM NEW.external_id))
    EXECUTE FUNCTION record_visitor_change()`,
  // A value without regard to case. The empty hash stands for any value.
  `CREATE FUNCTION attribute_hash(given json) RETURNS bytea LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
  DECLARE
    value text := given #>> '{}';
  BEGIN
    IF json_typeof(given) NOT IN ('string', 'number', 'boolean') OR char_length(value) > 500 THEN
      RETURN NULL;
    END IF;
    RETURN substr(sha256(convert_to(fold_text(value), 'UTF8')), 1, 16);
  END $$`,
  // The lock keeps a key until the values of this transaction are stored. A function of a trigger sees what was committed before it began, so it
  // sees every key whose filling has begun. Storing a message updates none of these columns.
  `CREATE FUNCTION store_attribute_values(organization text, subject text, page json, known json, verified json) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    keys text[];
    new_keys text[];
    hashes bytea[];
    flags boolean[];
  BEGIN
    SELECT array_agg(k.key) INTO keys FROM (
      SELECT a.key FROM attribute_keys a WHERE a.organization_id = organization ORDER BY a.key FOR KEY SHARE
    ) AS k;
    IF keys IS NULL THEN
      RETURN;
    END IF;
    SELECT array_agg(v.key), array_agg(v.hash), array_agg(v.is_verified) INTO new_keys, hashes, flags FROM (
      SELECT k.key, h.hash, bool_or(s.is_verified) AS is_verified
      FROM unnest(keys) AS k (key)
      CROSS JOIN (VALUES (page, false), (known, false), (verified, true)) AS s (given, is_verified)
      CROSS JOIN LATERAL (SELECT attribute_hash(s.given -> k.key) AS hash) AS f
      CROSS JOIN LATERAL (VALUES (f.hash), (''::bytea)) AS h (hash)
      WHERE f.hash IS NOT NULL
      GROUP BY k.key, h.hash
    ) AS v;
    DELETE FROM attribute_values a WHERE a.organization_id = organization AND a.subject_id = subject
      AND NOT EXISTS (SELECT FROM unnest(new_keys, hashes, flags) AS n (key, hash, is_verified)
        WHERE n.key = a.key AND n.hash = a.value_hash AND n.is_verified = a.is_verified);
    IF new_keys IS NOT NULL THEN
      INSERT INTO attribute_values (organization_id, key, value_hash, subject_id, is_verified)
      SELECT organization, n.key, n.hash, subject, n.is_verified FROM unnest(new_keys, hashes, flags) AS n (key, hash, is_verified)
      ON CONFLICT DO NOTHING;
    END IF;
  END $$`,
  `CREATE FUNCTION remove_attribute_values(organization text, subject text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM attribute_values a WHERE a.organization_id = organization AND a.subject_id = subject;
  END $$`,
  `CREATE FUNCTION record_chat_attributes() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM store_attribute_values(NEW.organization_id, NEW.id, NEW.metadata, NEW.attributes, NULL);
    RETURN NULL;
  END $$`,
  `CREATE FUNCTION record_visitor_attributes() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM store_attribute_values(NEW.organization_id, NEW.id, NEW.metadata, NEW.attributes, NEW.verified_attributes);
    RETURN NULL;
  END $$`,
  `CREATE FUNCTION record_attribute_removal() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM remove_attribute_values(OLD.organization_id, OLD.id);
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER chats_attributes_added AFTER INSERT ON chats
    FOR EACH ROW WHEN (NEW.metadata IS NOT NULL OR NEW.attributes IS NOT NULL)
    EXECUTE FUNCTION record_chat_attributes()`,
  `CREATE TRIGGER chats_attributes_changed AFTER UPDATE OF metadata, attributes ON chats
    FOR EACH ROW WHEN (OLD.metadata::text IS DISTINCT FROM NEW.metadata::text OR OLD.attributes::text IS DISTINCT FROM NEW.attributes::text)
    EXECUTE FUNCTION record_chat_attributes()`,
  `CREATE TRIGGER chats_attributes_removed AFTER DELETE ON chats
    FOR EACH ROW WHEN (OLD.metadata IS NOT NULL OR OLD.attributes IS NOT NULL)
    EXECUTE FUNCTION record_attribute_removal()`,
  `CREATE TRIGGER visitors_attributes_added AFTER INSERT ON visitors
    FOR EACH ROW WHEN (NEW.metadata IS NOT NULL OR NEW.attributes IS NOT NULL OR NEW.verified_attributes IS NOT NULL)
    EXECUTE FUNCTION record_visitor_attributes()`,
  `CREATE TRIGGER visitors_attributes_changed AFTER UPDATE OF metadata, attributes, verified_attributes ON visitors
    FOR EACH ROW WHEN (OLD.metadata::text IS DISTINCT FROM NEW.metadata::text OR OLD.attributes::text IS DISTINCT FROM NEW.attributes::text OR OLD.verified_attributes::text IS DISTINCT FROM NEW.verified_attributes::text)
    EXECUTE FUNCTION record_visitor_attributes()`,
  `CREATE TRIGGER visitors_attributes_removed AFTER DELETE ON visitors
    FOR EACH ROW WHEN (OLD.metadata IS NOT NULL OR OLD.attributes IS NOT NULL OR OLD.verified_attributes IS NOT NULL)
    EXECUTE FUNCTION record_attribute_removal()`,
];
