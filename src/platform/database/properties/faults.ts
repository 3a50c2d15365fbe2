import { BUILD } from '../../telemetry/build.js';
import { isTooOld, type SchemaRelease } from '../migrating/release.js';
import type { Facts } from './facts.js';
import { type DatabaseObject, OBJECT_NAMES, type OddTrigger } from './objects.js';
import { PLANNER, SETTINGS } from './settings.js';

/** PostgreSQL 15, in the form of `server_version_num`. */
export const MIN_VERSION = 150_000;
export const TOO_OLD = 'Parley needs PostgreSQL 15 or newer';
/** Connections beside the pool: one that watches the standby, one that finds the host that accepts writes, and two of searches. */
const OTHER_CONNECTIONS = 4;

/** Why Parley can't use a database, or what's going to be wrong. */
export interface Fault {
  problem: string;
  remedy: string;
  /** Whether Parley must not start. */
  isFatal: boolean;
}

/** Everything that's known about a database. */
export interface Findings {
  facts: Facts;
  objects: DatabaseObject[];
  triggers: OddTrigger[];
  /** Whether the table `migrations` exists and is Parley's; null without one. */
  isParleys: boolean | null;
  /** Whether a commit before the first release made the schema. */
  isEarlier: boolean;
  /** The number of migrations to be done, and of migrations that a newer release has done. */
  pending: number;
  unknown: number;
  /** The releases that the schema serves; null before the first start of a release that records them. */
  release: SchemaRelease | null;
  /** The schema later in the search path that has Parley's tables, if the first one has none. */
  otherSchema: string | null;
  isCluster: boolean;
  /** Whether a pooler is between: the server's process isn't the one that the connection was given. */
  isPooled: boolean;
  /** Whether the pooler gives a connection's named statements to others. */
  losesStatements: boolean;
  poolSize: number;
}

type Check = (findings: Findings) => (Fault | null | false)[];

const fatal = (problem: string, remedy: string): Fault => ({ problem, remedy, isFatal: true });
const warning = (problem: string, remedy: string): Fault => ({ problem, remedy, isFatal: false });

/** The schema of a commit before the first release, which had other migrations. */
export const EARLIER_SCHEMA = fatal(
  'a commit before the first release made its schema, and no release can upgrade that',
  'give Parley an empty database',
);

/** The first migrations of commits before the first release. */
const EARLIER = ['Foundation1763700000000', 'Organizations1766194001000'];

/** Whether a commit before the first release made these migrations. */
export const isEarlierSchema = (migrations: readonly string[]): boolean =>
  EARLIER.some((name) => migrations.includes(name));

const checkServer: Check = ({ facts, isPooled }) => [
  facts.encoding !== 'UTF8' &&
    fatal(`the database ${facts.database} has the encoding ${facts.encoding}`, "create it with ENCODING 'UTF8'"),
  facts.replicationRole !== 'origin' &&
    fatal(
      `session_replication_role is ${facts.replicationRole}, so triggers don't run`,
      `ALTER ROLE ${name(facts.role)} RESET session_replication_role, or the same for the database`,
    ),
  facts.fsync === 'off' && warning('fsync is off', 'a crash of the server can destroy the database: turn it on'),
  facts.fullPageWrites === 'off' &&
    warning('full_page_writes is off', 'a crash of the server can destroy the database: turn it on'),
  facts.commits === 'off' &&
    isPooled &&
    fatal('synchronous_commit is off behind a pooler', `ALTER ROLE ${name(facts.role)} SET synchronous_commit = on`),
  facts.commits === 'local' &&
    warning('synchronous_commit is local', 'a failover can lose messages: set it to on if you have a standby'),
  facts.hasOtherCollation &&
    warning(
      `the rules of order of the database ${facts.database} have changed since its indexes were made`,
      `REINDEX DATABASE ${name(facts.database)}; ALTER DATABASE ${name(facts.database)} REFRESH COLLATION VERSION`,
    ),
];

const checkSchema: Check = ({ facts, otherSchema, isParleys, isEarlier, objects, pending, isCluster }) => {
  const { role, schema, searchPath } = facts;
  if (schema === null || schema.startsWith('pg_')) {
    const remedy = `GRANT USAGE, CREATE ON SCHEMA public TO ${name(role)}; ALTER ROLE ${name(role)} SET search_path = public`;
    return [fatal(`search_path (${searchPath}) leads to no schema that the role ${role} may use`, remedy)];
  }
  const foreign = objects.find(({ kind }) => kind === 'table');
  const own = `give Parley a database of its own: CREATE DATABASE parley OWNER ${name(role)}`;
  const lacksCreate = `the role ${role} may not create tables in the schema ${schema}`;
  const remedy = `GRANT CREATE ON SCHEMA ${name(schema)} TO ${name(role)}`;
  return [
    otherSchema !== null &&
      fatal(
        `search_path (${searchPath}) leads to the schema ${schema}, but Parley's tables are in ${otherSchema}`,
        `ALTER ROLE ${name(role)} SET search_path = ${name(otherSchema)}`,
      ),
    isEarlier && EARLIER_SCHEMA,
    isParleys !== true &&
      !isEarlier &&
      foreign !== undefined &&
      fatal(`the table ${schema}.${foreign.name} is another program's`, own),
    isCluster &&
      schema !== 'public' &&
      fatal(`search_path leads to the schema ${schema}`, 'Citus needs the schema public'),
    !facts.mayCreate && pending > 0 && fatal(lacksCreate, remedy),
    !facts.mayCreate && pending === 0 && warning(`${lacksCreate}, so the next release can't start`, remedy),
  ];
};

const checkRelease: Check = ({ isParleys, release }) => [
  isParleys === true &&
    release !== null &&
    isTooOld(BUILD.version, release.oldest) &&
    fatal(
      `Parley ${release.newest} has changed the schema, which needs at least Parley ${release.oldest}, and this is ${BUILD.version}`,
      'start a newer release, or restore a backup from before the upgrade (docs/operate/upgrades.md#go-back)',
    ),
];

const checkObjects: Check = ({ facts, objects, isParleys, pending, unknown }) => {
  if (isParleys !== true) return [];
  const { role } = facts;
  const unusable = objects.filter(({ mayUse }) => !mayUse);
  const strange = objects.filter(({ isOwn }) => !isOwn);
  const [filtered, unlogged] = [objects.filter(({ isFiltered }) => isFiltered), objects.filter((o) => o.isUnlogged)];
  const remedy = strange.length > 0 ? handOver(strange[0]!.owner, facts) : '';
  const notOwner = `the role ${role} isn't the owner of ${several(strange)}`;
  return [
    unusable.length > 0 &&
      fatal(`the role ${role} has no right to use ${several(unusable)}`, remedy || grant(unusable, role)),
    strange.length > 0 && pending > 0 && fatal(`${notOwner}, so it can't change them for this release`, remedy),
    strange.length > 0 && pending === 0 && warning(`${notOwner}, so the next release can't start`, remedy),
    filtered.length > 0 &&
      fatal(
        `row-level security hides rows of ${several(filtered)} from the role ${role}`,
        `ALTER TABLE ${name(filtered[0]!.name)} DISABLE ROW LEVEL SECURITY, for each of them`,
      ),
    unlogged.length > 0 &&
      fatal(`a crash of the server empties ${several(unlogged)}`, `ALTER TABLE ${name(unlogged[0]!.name)} SET LOGGED`),
    pending + unknown === 0 && missing(objects),
  ];
};

const checkTriggers: Check = ({ triggers, isParleys }) => {
  if (isParleys !== true) return [];
  const off = triggers.find(({ isOwn }) => isOwn);
  const added = triggers.find(({ isOwn }) => !isOwn);
  return [
    off !== undefined &&
      fatal(`the trigger ${off.name} of ${off.table} is disabled`, `ALTER TABLE ${name(off.table)} ENABLE TRIGGER ALL`),
    added !== undefined &&
      warning(
        `${added.table} has the trigger ${added.name}, which isn't Parley's`,
        'Parley waits for it, and fails with it',
      ),
  ];
};

const checkConnection: Check = ({ facts, isPooled, losesStatements, poolSize }) => [
  losesStatements &&
    fatal(
      'the pooler gives named statements to other connections',
      'set its max_prepared_statements to 200 (PgBouncer 1.21 or newer), or pool_mode = session',
    ),
  !isPooled && checkLimit(facts, poolSize + OTHER_CONNECTIONS),
  ...Object.entries({ ...SETTINGS, ...PLANNER }).map(([setting, { value, matters }]) => {
    const found = facts.settings[setting];
    if (found === undefined || found === null || found === value || matters === 'never') return null;
    const problem = `${setting} is ${found}, because a pooler ignores what Parley sets`;
    return {
      problem,
      remedy: `ALTER ROLE ${name(facts.role)} SET ${setting} = '${value}'`,
      isFatal: matters === 'always',
    };
  }),
];

function checkLimit(facts: Facts, needed: number): Fault | null {
  const { role, database, roleLimit, databaseLimit, serverLimit, isSuperuser } = facts;
  const smaller = `set DATABASE_POOL_SIZE lower, or `;
  const so = `and Parley needs ${needed} (DATABASE_POOL_SIZE + ${OTHER_CONNECTIONS})`;
  if (serverLimit < needed)
    return fatal(
      `the server allows ${serverLimit} connections (max_connections), ${so}`,
      `${smaller}max_connections higher`,
    );
  if (isSuperuser) return null;
  if (roleLimit !== null && roleLimit < needed)
    return fatal(
      `the role ${role} may have ${roleLimit} connections, ${so}`,
      `${smaller}ALTER ROLE ${name(role)} CONNECTION LIMIT -1`,
    );
  if (databaseLimit !== null && databaseLimit < needed)
    return fatal(
      `the database ${database} may have ${databaseLimit} connections, ${so}`,
      `${smaller}ALTER DATABASE ${name(database)} CONNECTION LIMIT -1`,
    );
  return null;
}

const CHECKS = [checkServer, checkSchema, checkRelease, checkObjects, checkTriggers, checkConnection];

/** What's wrong with a database, and the remedies; the fatal ones first. */
export function findFaults(findings: Findings): Fault[] {
  const faults = CHECKS.flatMap((check) => check(findings)).filter((fault): fault is Fault => Boolean(fault));
  return faults.toSorted((a, b) => Number(b.isFatal) - Number(a.isFatal));
}

function missing(objects: DatabaseObject[]): Fault | null {
  const lost = OBJECT_NAMES.flat().filter((wanted) => objects.every((object) => object.name !== wanted));
  return lost.length === 0
    ? null
    : fatal(`it has no ${namesOf(lost)}`, 'restore the whole dump into an empty database');
}

// The installation's first superuser owns the server's own objects too, so its objects can't be reassigned together.
function handOver(owner: string, { role }: Facts): string {
  return `as a superuser: REASSIGN OWNED BY ${name(owner)} TO ${name(role)}; if PostgreSQL refuses that, see docs/operate/backup.md`;
}

function grant(unusable: DatabaseObject[], role: string): string {
  const { kind, name: object } = unusable[0]!;
  return `GRANT ALL ON ${kind.toUpperCase()} ${name(object)} TO ${name(role)}, for each of them`;
}

/** "chats (and 40 more)". */
function several(objects: DatabaseObject[]): string {
  return namesOf(objects.map(({ kind, name: object }) => (kind === 'table' ? object : `the ${kind} ${object}`)));
}

function namesOf([first, ...others]: string[]): string {
  return others.length === 0 ? first! : `${first} (and ${others.length} more)`;
}

/** An identifier as SQL needs it. */
function name(identifier: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(identifier) ? identifier : `"${identifier.replaceAll('"', '""')}"`;
}
