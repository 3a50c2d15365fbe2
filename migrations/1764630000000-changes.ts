import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What changed in an organization's chats, for indexes that follow them. */
export class Changes1764630000000 implements MigrationInterface {
  /** No transaction: each step locks one table for a moment and can be repeated, while nodes of the previous release write. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...CHATS, ...MESSAGES, ...VISITORS]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER chats_changed ON chats;
      DROP TRIGGER chats_removed ON chats;
      DROP TRIGGER messages_changed ON messages;
      DROP TRIGGER visitors_changed ON visitors;
      DROP FUNCTION record_chat_change, record_chat_removal, record_message_changes, record_visitor_change,
        record_change(text, bigint, text, integer);
      ALTER TABLE chats DROP COLUMN change_epoch;
      DROP TABLE chat_changes, change_readers;
      DROP SEQUENCE change_epoch;
    `);
  }
}

// `chat_changes` has no foreign key: its check would lock the organization's row for a chat's message.
const TABLES = [
  'CREATE SEQUENCE IF NOT EXISTS change_epoch',
  `CREATE TABLE IF NOT EXISTS chat_changes (
    organization_id text COLLATE "C" NOT NULL,
    epoch bigint NOT NULL,
    subject_id text COLLATE "C" NOT NULL,
    after_seq integer NOT NULL,
    CONSTRAINT pk_chat_changes PRIMARY KEY (organization_id, epoch, subject_id)
  )`,
  `CREATE TABLE IF NOT EXISTS change_readers (
    organization_id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    epoch bigint NOT NULL,
    subject_id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C",
    CONSTRAINT pk_change_readers PRIMARY KEY (organization_id, name),
    CONSTRAINT fk_change_readers_organization FOREIGN KEY (organization_id)
      REFERENCES organizations (id) ON DELETE CASCADE
  ) WITH (fillfactor = 50)`,
  'ALTER TABLE chats ADD COLUMN IF NOT EXISTS change_epoch bigint',
  `CREATE OR REPLACE FUNCTION record_change(organization text, current_epoch bigint, subject text, seq integer)
  RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO chat_changes AS c (organization_id, epoch, subject_id, after_seq)
    SELECT organization, current_epoch, subject, seq
    WHERE EXISTS (SELECT FROM change_readers r WHERE r.organization_id = organization)
    ON CONFLICT (organization_id, epoch, subject_id) DO UPDATE SET after_seq = excluded.after_seq
      WHERE c.after_seq > excluded.after_seq;
  END $$`,
];

// A chat that has a row in the current epoch needs no second one, so most messages only compare two numbers. The epoch is read
// from the sequence, past the transaction's snapshot; it's null until something reads changes.
const CHATS = [
  `CREATE OR REPLACE FUNCTION record_chat_change() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    current_epoch bigint := pg_sequence_last_value('change_epoch');
  BEGIN
    IF current_epoch IS NULL OR (NEW.change_epoch = current_epoch AND NEW.message_count >= OLD.message_count) THEN
      RETURN NEW;
    END IF;
    NEW.change_epoch := current_epoch;
    PERFORM record_change(NEW.organization_id, current_epoch, NEW.id, LEAST(OLD.message_count, NEW.message_count));
    RETURN NEW;
  END $$`,
  `CREATE OR REPLACE FUNCTION record_chat_removal() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    current_epoch bigint := pg_sequence_last_value('change_epoch');
  BEGIN
    IF current_epoch IS NOT NULL THEN
      PERFORM record_change(OLD.organization_id, current_epoch, OLD.id, 0);
    END IF;
    RETURN OLD;
  END $$`,
  `CREATE OR REPLACE TRIGGER chats_changed BEFORE INSERT OR UPDATE ON chats
    FOR EACH ROW EXECUTE FUNCTION record_chat_change()`,
  `CREATE OR REPLACE TRIGGER chats_removed BEFORE DELETE ON chats
    FOR EACH ROW EXECUTE FUNCTION record_chat_removal()`,
];

// Messages change when they become tombstones and when their chat is merged. Deleted messages lower the chat's message_count.
const MESSAGES = [
  `CREATE OR REPLACE FUNCTION record_message_changes() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    current_epoch bigint := pg_sequence_last_value('change_epoch');
  BEGIN
    IF current_epoch IS NOT NULL THEN
      PERFORM record_change(m.organization_id, current_epoch, m.chat_id, m.after_seq)
      FROM (SELECT organization_id, chat_id, min(seq) - 1 AS after_seq FROM changed
        GROUP BY organization_id, chat_id ORDER BY organization_id, chat_id) AS m;
    END IF;
    RETURN NULL;
  END $$`,
  `CREATE OR REPLACE TRIGGER messages_changed AFTER UPDATE ON messages REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION record_message_changes()`,
];

// Not of a visitor who is being erased: each of the visitor's chats changes, and no row may keep the visitor's id.
const VISITORS = [
  `CREATE OR REPLACE FUNCTION record_visitor_change() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    current_epoch bigint := pg_sequence_last_value('change_epoch');
  BEGIN
    IF current_epoch IS NOT NULL THEN
      PERFORM record_change(NEW.organization_id, current_epoch, NEW.id, 0);
    END IF;
    RETURN NULL;
  END $$`,
  `CREATE OR REPLACE TRIGGER visitors_changed AFTER UPDATE ON visitors FOR EACH ROW
    WHEN (NEW.erasing_since IS NULL
      AND (OLD.name, OLD.email, OLD.external_id) IS DISTINCT FROM (NEW.name, NEW.email, NEW.external_id))
    EXECUTE FUNCTION record_visitor_change()`,
];
