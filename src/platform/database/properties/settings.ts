/** A setting that Parley makes on each of its connections, so that it doesn't matter what the server, database, or role says. */
interface Setting {
  value: string;
  /** The first version of PostgreSQL that has it, in the form of `server_version_num`. */
  since?: number;
  /** What depends on it where a pooler ignores it: answers, only how fast they are and what a hanging statement costs, or nothing. */
  matters: 'always' | 'speed' | 'never';
  why: string;
}

/** Without the planner's settings and the service's time limits, which differ by connection. */
export const SETTINGS = {
  default_transaction_isolation: {
    value: 'read committed',
    matters: 'always',
    why: 'At a stricter level, requests that run at the same time fail with 503.',
  },
  DateStyle: { value: 'ISO, MDY', matters: 'always', why: 'The driver reads ISO dates only.' },
  IntervalStyle: { value: 'postgres', matters: 'always', why: 'The driver reads this style only.' },
  TimeZone: {
    value: 'GMT',
    matters: 'never',
    why: 'Every statement names the zone it needs. This one exists without a list of zones.',
  },
  bytea_output: { value: 'hex', matters: 'always', why: 'The hashes of tokens are compared as bytes.' },
  extra_float_digits: { value: '1', matters: 'always', why: 'Numbers are returned with all their digits.' },
  standard_conforming_strings: { value: 'on', matters: 'always', why: 'A backslash is a character like others.' },
  array_nulls: { value: 'on', matters: 'always', why: 'Messages are stored from arrays with absent values.' },
  transform_null_equals: { value: 'off', matters: 'always', why: 'Statements compare with NULL.' },
  lock_timeout: { value: '0', matters: 'speed', why: 'The limit of the whole statement counts.' },
  idle_session_timeout: { value: '0', matters: 'speed', why: 'The pool keeps idle connections.' },
  transaction_timeout: { value: '0', since: 170_000, matters: 'speed', why: 'Parley has limits of its own.' },
  enable_indexscan: { value: 'on', matters: 'speed', why: 'Every statement finds its rows by an index.' },
  enable_indexonlyscan: { value: 'on', matters: 'speed', why: 'The same.' },
  enable_bitmapscan: { value: 'on', matters: 'speed', why: 'The same.' },
  enable_nestloop: { value: 'on', matters: 'speed', why: 'The same for joins.' },
  enable_sort: { value: 'on', matters: 'speed', why: 'Short lists are sorted.' },
} as const satisfies Record<string, Setting>;

/** The planner's settings of data-source.ts, which are others on a Citus cluster. */
export const PLANNER = {
  enable_seqscan: { value: 'off', matters: 'speed' },
  jit: { value: 'off', matters: 'speed' },
  plan_cache_mode: { value: 'force_generic_plan', matters: 'speed' },
} as const satisfies Record<string, Omit<Setting, 'why'>>;

/** What a connection says about the database that it leads to. */
export interface Session {
  /** The schema of Parley's tables. */
  schema: string;
  /** In the form of `server_version_num`. */
  version: number;
  /** The value of `synchronous_commit`. */
  commits: string;
}

/** A statement that returns the `Session` of a connection without these options. */
export const READ_SESSION = `
  SELECT COALESCE(current_schema(), 'public') AS schema, current_setting('server_version_num')::integer AS version,
    current_setting('synchronous_commit') AS commits`;

/** A part of the start-up parameter `options`. */
export function option(name: string, value: string): string {
  return `-c ${name}=${value.replaceAll(/[\s\\]/g, String.raw`\$&`)}`;
}

/**
 * What each connection of Parley's sends. The schema is named so that tables elsewhere in the search path, or temporary ones, never stand
 * in for Parley's. A commit that doesn't wait for the disk would lose messages that were answered 200.
 */
export function optionsOf(session?: Session): string {
  const made = Object.entries(SETTINGS as Record<string, Setting>).filter(
    ([, { since = 0 }]) => (session?.version ?? 0) >= since,
  );
  const options = made.map(([name, { value }]) => option(name, value));
  if (session) options.push(option('search_path', `${quote(session.schema)}, pg_temp`));
  if (session?.commits === 'off') options.push(option('synchronous_commit', 'on'));
  return options.join(' ');
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
