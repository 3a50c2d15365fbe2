import { tablesAt } from '../tenant-tables.js';

const TABLES = (['distributed', 'reference', 'local'] as const).flatMap(tablesAt);

const SEQUENCES = ['change_epoch', 'deliveries_position', 'migrations_id_seq'];

const FUNCTIONS = [
  'append_messages_1',
  'attribute_hash',
  'change_epoch_of',
  'change_writers_1',
  'end_snooze',
  'fold_text',
  'record_attribute_removal',
  'record_change',
  'record_chat_attributes',
  'record_chat_change',
  'record_chat_removal',
  'record_message_changes',
  'record_visitor_attributes',
  'record_visitor_change',
  'remove_attribute_values',
  'remove_attempts_of_delivery',
  'remove_messages_of_chat',
  'require_default_group',
  'require_default_groups',
  'store_attribute_values',
  'take_events_1',
];

/** A table, sequence, or function of Parley's, as the role of DATABASE_URL sees it. */
export interface DatabaseObject {
  kind: 'table' | 'sequence' | 'function';
  name: string;
  owner: string;
  isOwn: boolean;
  /** Whether the role may do everything with it that Parley does. */
  mayUse: boolean;
  /** Whether row-level security hides rows of the table from the role. */
  isFiltered: boolean;
  /** Whether the table's rows are lost when the server crashes. */
  isUnlogged: boolean;
}

/** What the current schema has of Parley's. Tables of other programs with the same names count too. */
export const FIND_OBJECTS = `
  SELECT CASE o.relkind WHEN 'S' THEN 'sequence' ELSE 'table' END AS kind, o.relname AS name, pg_get_userbyid(o.relowner) AS owner,
    pg_has_role(o.relowner, 'USAGE') AS "isOwn",
    CASE o.relkind WHEN 'S' THEN has_sequence_privilege(o.oid, 'USAGE') ELSE has_table_privilege(o.oid, 'SELECT')
      AND has_table_privilege(o.oid, 'INSERT') AND has_table_privilege(o.oid, 'UPDATE') AND has_table_privilege(o.oid, 'DELETE')
    END AS "mayUse",
    row_security_active(o.oid) AS "isFiltered", o.relpersistence = 'u' AS "isUnlogged"
  FROM pg_class o WHERE o.relnamespace = to_regnamespace(quote_ident(current_schema()))
    AND (o.relkind IN ('r', 'p', 'v', 'm', 'f') AND o.relname = ANY ($1) OR o.relkind = 'S' AND o.relname = ANY ($2))
  UNION ALL
  SELECT DISTINCT ON (p.proname) 'function', p.proname, pg_get_userbyid(p.proowner), pg_has_role(p.proowner, 'USAGE'),
    has_function_privilege(p.oid, 'EXECUTE'), false, false
  FROM pg_proc p WHERE p.pronamespace = to_regnamespace(quote_ident(current_schema())) AND p.proname = ANY ($3)
  ORDER BY 1 DESC, 2`;

export const OBJECT_NAMES = [TABLES, SEQUENCES, FUNCTIONS];

/** A trigger of one of Parley's tables that doesn't run, or that isn't Parley's. */
export interface OddTrigger {
  name: string;
  table: string;
  isOwn: boolean;
}

export const FIND_ODD_TRIGGERS = `
  SELECT t.tgname AS name, c.relname AS table, p.proname = ANY ($2) AS "isOwn"
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
  WHERE c.relnamespace = to_regnamespace(quote_ident(current_schema())) AND c.relname = ANY ($1) AND NOT t.tgisinternal
    AND (t.tgenabled NOT IN ('O', 'A') OR p.proname <> ALL ($2)) AND p.proname !~ '^citus_|^position_by_time$'
  ORDER BY 2, 1`;

export const TRIGGER_NAMES = [TABLES, FUNCTIONS];
