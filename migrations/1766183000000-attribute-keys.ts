import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable } from './support/create-table.js';

/** The attribute keys that filters of chats use, and hashes of the values that chats and visitors have of them. */
export class AttributeKeys1766183000000 implements MigrationInterface {
  /**
   * No transaction: each step locks one table for a moment and can be repeated, while nodes of the previous release write. A Citus cluster
   * then creates the function on its workers too.
   */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // The subject of a value is a chat or a visitor. It has no foreign key, so triggers remove its values.
    await createTable(
      runner,
      `CREATE TABLE IF NOT EXISTS attribute_keys (
        organization_id text COLLATE "C" NOT NULL,
        key text COLLATE "C" NOT NULL,
        created_at timestamptz(3) NOT NULL,
        filled_to text COLLATE "C",
        ready_at timestamptz(3),
        removed_at timestamptz(3),
        CONSTRAINT pk_attribute_keys PRIMARY KEY (organization_id, key),
        CONSTRAINT fk_attribute_keys_organization FOREIGN KEY (organization_id)
          REFERENCES organizations (id) ON DELETE CASCADE
      )`,
    );
    await createTable(
      runner,
      `CREATE TABLE IF NOT EXISTS attribute_values (
        organization_id text COLLATE "C" NOT NULL,
        key text COLLATE "C" NOT NULL,
        value_hash bytea NOT NULL,
        subject_id text COLLATE "C" NOT NULL,
        is_verified boolean NOT NULL,
        CONSTRAINT pk_attribute_values PRIMARY KEY (organization_id, key, value_hash, subject_id),
        CONSTRAINT fk_attribute_values_key FOREIGN KEY (organization_id, key)
          REFERENCES attribute_keys (organization_id, key) ON DELETE CASCADE
      )`,
    );
    for (const statement of [...COLUMNS, ...INDEXES, ...FUNCTIONS, ...TRIGGERS]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['chats', 'visitors'])
      await runner.query(`
        DROP TRIGGER ${table}_attributes_added ON ${table};
        DROP TRIGGER ${table}_attributes_changed ON ${table};
        DROP TRIGGER ${table}_attributes_removed ON ${table};
      `);
    await runner.query(`
      DROP FUNCTION record_chat_attributes, record_visitor_attributes, record_attribute_removal;
      DROP FUNCTION store_attribute_values(text, text, json, json, json), remove_attribute_values(text, text), attribute_hash(json);
      DROP TABLE attribute_values, attribute_keys;
    `);
  }
}

// Statistics would keep hashes after their values were erased.
const COLUMNS = ['ALTER TABLE attribute_values ALTER COLUMN value_hash SET STATISTICS 0'];

const INDEXES = [
  `CREATE INDEX IF NOT EXISTS ix_attribute_keys_pending ON attribute_keys (organization_id, key)
    WHERE ready_at IS NULL OR removed_at IS NOT NULL`,
  'CREATE INDEX IF NOT EXISTS ix_attribute_values_subject ON attribute_values (organization_id, subject_id)',
];

// A value without regard to case. The empty hash stands for any value. The lock keeps a key until the values of this transaction are
// stored. A function of a trigger sees what was committed before it began, so it sees every key whose filling has begun.
const FUNCTIONS = [
  `CREATE OR REPLACE FUNCTION attribute_hash(given json) RETURNS bytea LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  DECLARE
    value text := given #>> '{}';
  BEGIN
    IF json_typeof(given) NOT IN ('string', 'number', 'boolean') OR char_length(value) > 500 THEN
      RETURN NULL;
    END IF;
    RETURN substr(sha256(convert_to(fold_text(value), 'UTF8')), 1, 16);
  END $$`,
  `CREATE OR REPLACE FUNCTION store_attribute_values(organization text, subject text, page json, known json, verified json)
  RETURNS void LANGUAGE plpgsql AS $$
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
  `CREATE OR REPLACE FUNCTION remove_attribute_values(organization text, subject text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM attribute_values a WHERE a.organization_id = organization AND a.subject_id = subject;
  END $$`,
  `CREATE OR REPLACE FUNCTION record_chat_attributes() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM store_attribute_values(NEW.organization_id, NEW.id, NEW.metadata, NEW.attributes, NULL);
    RETURN NULL;
  END $$`,
  `CREATE OR REPLACE FUNCTION record_visitor_attributes() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM store_attribute_values(NEW.organization_id, NEW.id, NEW.metadata, NEW.attributes, NEW.verified_attributes);
    RETURN NULL;
  END $$`,
  `CREATE OR REPLACE FUNCTION record_attribute_removal() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM remove_attribute_values(OLD.organization_id, OLD.id);
    RETURN NULL;
  END $$`,
];

// Storing a message updates none of these columns.
const triggersOf = (table: string, columns: readonly string[], store: string) => {
  const has = (row: string) => columns.map((column) => `${row}.${column} IS NOT NULL`).join(' OR ');
  const differ = columns.map((column) => `OLD.${column}::text IS DISTINCT FROM NEW.${column}::text`).join(' OR ');
  return [
    `CREATE OR REPLACE TRIGGER ${table}_attributes_added AFTER INSERT ON ${table} FOR EACH ROW
      WHEN (${has('NEW')}) EXECUTE FUNCTION ${store}()`,
    `CREATE OR REPLACE TRIGGER ${table}_attributes_changed AFTER UPDATE OF ${columns.join(', ')} ON ${table} FOR EACH ROW
      WHEN (${differ}) EXECUTE FUNCTION ${store}()`,
    `CREATE OR REPLACE TRIGGER ${table}_attributes_removed AFTER DELETE ON ${table} FOR EACH ROW
      WHEN (${has('OLD')}) EXECUTE FUNCTION record_attribute_removal()`,
  ];
};

const TRIGGERS = [
  ...triggersOf('chats', ['metadata', 'attributes'], 'record_chat_attributes'),
  ...triggersOf('visitors', ['metadata', 'attributes', 'verified_attributes'], 'record_visitor_attributes'),
];
