import { PLANNER, SETTINGS } from './settings.js';

/** What a connection says about its server, database, and role. */
export interface Facts {
  role: string;
  database: string;
  /** Null if no schema of the search path exists or may be used. */
  schema: string | null;
  searchPath: string;
  mayCreate: boolean;
  version: number;
  versionName: string;
  encoding: string;
  isSuperuser: boolean;
  /** The most connections that the role, the database, and the server allow; null without a limit. */
  roleLimit: number | null;
  databaseLimit: number | null;
  serverLimit: number;
  replicationRole: string;
  commits: string;
  fsync: string;
  fullPageWrites: string;
  /** Whether the operating system's rules of order have changed since the database was made. */
  hasOtherCollation: boolean;
  pid: number;
  /** The values in effect of what Parley sets. */
  settings: Record<string, string>;
}

const LIMIT = (column: string) => `NULLIF(${column}, -1)`;

export const READ_FACTS = `
  SELECT current_user AS role, d.datname AS database, current_schema() AS schema, current_setting('search_path') AS "searchPath",
    COALESCE(has_schema_privilege(current_schema(), 'CREATE'), false) AS "mayCreate",
    current_setting('server_version_num')::integer AS version, current_setting('server_version') AS "versionName",
    pg_encoding_to_char(d.encoding) AS encoding, r.rolsuper AS "isSuperuser",
    ${LIMIT('r.rolconnlimit')} AS "roleLimit", ${LIMIT('d.datconnlimit')} AS "databaseLimit",
    current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
      - COALESCE(current_setting('reserved_connections', true), '0')::integer AS "serverLimit",
    current_setting('session_replication_role') AS "replicationRole", current_setting('synchronous_commit') AS commits,
    current_setting('fsync') AS fsync, current_setting('full_page_writes') AS "fullPageWrites",
    COALESCE(d.datcollversion <> pg_database_collation_actual_version(d.oid), false) AS "hasOtherCollation",
    pg_backend_pid() AS pid,
    (SELECT json_object_agg(s.name, current_setting(s.name, true)) FROM unnest($1::text[]) AS s (name)) AS settings
  FROM pg_database d, pg_roles r WHERE d.datname = current_database() AND r.rolname = session_user`;

export const SETTING_NAMES = Object.keys({ ...SETTINGS, ...PLANNER });
