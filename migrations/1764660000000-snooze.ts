import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Chats that their agents snooze. */
export class Snooze1764660000000 implements MigrationInterface {
  /** No transaction: each step locks the table for a moment and can be repeated, while nodes of the previous release write. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [COLUMNS, FUNCTION, TRIGGER]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER chats_snooze_ends ON chats;
      DROP FUNCTION end_snooze;
      ALTER TABLE chats DROP COLUMN snoozed_by, DROP COLUMN snoozed_until;
    `);
  }
}

const COLUMNS = `
  ALTER TABLE chats ADD COLUMN IF NOT EXISTS snoozed_by text COLLATE "C",
    ADD COLUMN IF NOT EXISTS snoozed_until timestamptz(3)`;

// A trigger, because nodes of the previous release store messages and move chats too. A visitor's message makes the chat due, and
// a chat that leaves its agent is no longer snoozed.
const FUNCTION = `
  CREATE OR REPLACE FUNCTION end_snooze() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.agent_id IS DISTINCT FROM NEW.snoozed_by THEN
      NEW.snoozed_by := NULL;
      NEW.snoozed_until := NULL;
    ELSIF NEW.last_visitor_seq > OLD.last_visitor_seq THEN
      NEW.snoozed_until := LEAST(NEW.snoozed_until, clock_timestamp());
    END IF;
    RETURN NEW;
  END $$`;

const TRIGGER = `
  CREATE OR REPLACE TRIGGER chats_snooze_ends BEFORE UPDATE OF agent_id, last_visitor_seq ON chats FOR EACH ROW
    WHEN (NEW.snoozed_by IS NOT NULL
      AND (NEW.agent_id IS DISTINCT FROM NEW.snoozed_by OR NEW.last_visitor_seq > OLD.last_visitor_seq))
    EXECUTE FUNCTION end_snooze()`;
