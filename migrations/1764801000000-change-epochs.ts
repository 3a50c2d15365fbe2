import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One function returns the current epoch of an organization's changes, so that a Citus cluster can have its own (decision 23). */
export class ChangeEpochs1764801000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of BEFORE) await runner.query(statement);
    await runner.query('DROP FUNCTION change_epoch_of, change_writers_1');
  }
}

// The four functions of the triggers, with this as the epoch.
const triggerFunctions = (epochOf: (organization: string) => string) => [
  `CREATE OR REPLACE FUNCTION record_chat_change() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    current_epoch bigint := ${epochOf('NEW.organization_id')};
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
    current_epoch bigint := ${epochOf('OLD.organization_id')};
  BEGIN
    IF current_epoch IS NOT NULL THEN
      PERFORM record_change(OLD.organization_id, current_epoch, OLD.id, 0);
    END IF;
    RETURN OLD;
  END $$`,
  `CREATE OR REPLACE FUNCTION record_message_changes() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    change record;
    current_epoch bigint;
  BEGIN
    FOR change IN
      SELECT organization_id, chat_id, min(seq) - 1 AS after_seq FROM changed
      GROUP BY organization_id, chat_id ORDER BY organization_id, chat_id
    LOOP
      current_epoch := ${epochOf('change.organization_id')};
      IF current_epoch IS NOT NULL THEN
        PERFORM record_change(change.organization_id, current_epoch, change.chat_id, change.after_seq);
      END IF;
    END LOOP;
    RETURN NULL;
  END $$`,
  `CREATE OR REPLACE FUNCTION record_visitor_change() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    current_epoch bigint := ${epochOf('NEW.organization_id')};
  BEGIN
    IF current_epoch IS NOT NULL THEN
      PERFORM record_change(NEW.organization_id, current_epoch, NEW.id, 0);
    END IF;
    RETURN NULL;
  END $$`,
];

// PostgreSQL puts the body of change_epoch_of in place of its call.
// The transactions of change_writers_1 have locked a table, or on a Citus cluster one of its shards on the organization's worker.
const STATEMENTS = [
  `CREATE FUNCTION change_epoch_of(organization text) RETURNS bigint LANGUAGE sql AS $$
    SELECT pg_sequence_last_value('change_epoch') $$`,
  ...triggerFunctions((organization) => `change_epoch_of(${organization})`),
  // A Citus cluster inserts a row of values on one shard, but a row of a query with a condition on all of them.
  `CREATE OR REPLACE FUNCTION record_change(organization text, current_epoch bigint, subject text, seq integer)
  RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT FROM change_readers r WHERE r.organization_id = organization) THEN
      INSERT INTO chat_changes AS c (organization_id, epoch, subject_id, after_seq)
      VALUES (organization, current_epoch, subject, seq)
      ON CONFLICT (organization_id, epoch, subject_id) DO UPDATE SET after_seq = excluded.after_seq
        WHERE c.after_seq > excluded.after_seq;
    END IF;
  END $$`,
  `CREATE FUNCTION change_writers_1(organization text, among text[]) RETURNS TABLE (id text) LANGUAGE plpgsql AS $$
  BEGIN
    RETURN QUERY
    SELECT DISTINCT l.virtualtransaction FROM pg_locks l JOIN pg_class t ON t.oid = l.relation
    WHERE l.locktype = 'relation' AND l.mode = 'RowExclusiveLock'
      AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
      AND t.relnamespace = 'public'::regnamespace AND t.relname ~ '^(chats|messages|visitors)(_[0-9]+)?$'
      AND (among IS NULL OR l.virtualtransaction = ANY (among));
  END $$`,
];

const BEFORE = [
  ...triggerFunctions(() => `pg_sequence_last_value('change_epoch')`),
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
