import type { Cause } from '../../errors/cause.js';
import { Problem } from '../../errors/problem.js';
import { TimeoutError } from '../../lib/single-flight.js';
import { describeError } from '../../telemetry/logging.js';
import { databaseCode, isTransient, isUnavailable, TLS } from '../database-problem.js';
import { OUTCOME_UNKNOWN } from '../replication.js';
import { STANDBY_SILENT } from '../standby.js';

interface Kind {
  name: string;
  /** The codes: SQLSTATEs, and codes of the operating system. */
  code?: RegExp;
  /** What's wrong, for `/health/ready`: without names of the installation. */
  text: string;
  /** What an operator does about it. */
  remedy: string;
  /** Whether one failed statement stands for all: the database as a whole, or a whole table, fails. */
  isGeneral: boolean;
}

const LOCK_QUERY = 'SELECT pid, pg_blocking_pids(pid) FROM pg_stat_activity';

/** Every kind of fault of the database. The first match counts. */
const KINDS: readonly Kind[] = [
  {
    name: 'database_disk_full',
    code: /^53100$/,
    text: "the database's disk is full",
    remedy: "make room on the database's disk: old files of its log, an inactive replication slot, or a larger disk",
    isGeneral: true,
  },
  {
    name: 'database_memory',
    code: /^53200$/,
    text: 'the database has no memory left',
    remedy: 'lower work_mem or shared_buffers, or give the server more memory',
    isGeneral: true,
  },
  {
    name: 'database_connections',
    code: /^53300$/,
    text: 'the database has no connection left',
    remedy: 'see who has them in pg_stat_activity; raise max_connections, or lower DATABASE_POOL_SIZE',
    isGeneral: true,
  },
  {
    name: 'database_resources',
    code: /^53/,
    text: 'the database has no resources left',
    remedy: 'raise the limit that the message names',
    isGeneral: true,
  },
  {
    name: 'database_read_only',
    code: /^25006$/,
    text: 'the database accepts no writes',
    remedy: 'promote the standby, or RESET default_transaction_read_only',
    isGeneral: true,
  },
  {
    name: 'database_rejects',
    code: /^(?:28|3D)/,
    text: 'the database rejects the user, the password, or the name of DATABASE_URL',
    remedy: 'correct DATABASE_URL or pg_hba.conf, and restart the nodes',
    isGeneral: true,
  },
  {
    name: 'database_right',
    code: /^42501$/,
    text: 'the database role lacks a right',
    remedy: 'GRANT the right that the message names to the role of DATABASE_URL',
    isGeneral: true,
  },
  {
    name: 'database_corrupt',
    code: /^XX00[12]$/,
    text: 'a file of the database is damaged',
    remedy: "stop writing, check the server's disk, and restore the table or the backup",
    isGeneral: true,
  },
  {
    name: 'database_io',
    code: /^58/,
    text: 'the database cannot read or write its files',
    remedy: "check the disk, the mount, and the kernel's log of the database server",
    isGeneral: true,
  },
  {
    name: 'database_standby',
    code: /^(?:standby_silent|08007)$/,
    text: "the database's synchronous standby isn't answering",
    remedy: 'repair the standby or its connection, or take it out of synchronous_standby_names',
    isGeneral: false,
  },
  {
    name: 'database_lock',
    code: /^55P03$/,
    text: 'another session holds a lock',
    remedy: `end the session that holds the lock: SELECT pg_terminate_backend(pid); to find it: ${LOCK_QUERY}`,
    isGeneral: false,
  },
  {
    name: 'database_slow',
    code: /^(?:57014|25P0[34])$/,
    text: 'statements of the database take too long',
    remedy: "check the database's CPU, disk, and pg_stat_activity",
    isGeneral: false,
  },
  {
    name: 'database_conflict',
    code: /^(?:40001|40P01)$/,
    text: 'transactions of the database conflict',
    remedy: 'retry; if it happens often, find a second program that changes the same rows',
    isGeneral: false,
  },
  {
    name: 'database_refuses',
    text: 'the database refuses a part of the work',
    remedy: 'find a trigger, a rule, a policy, or a constraint that is not of Parley: the message names it',
    isGeneral: true,
  },
  {
    name: 'database_stopped',
    code: /^57/,
    text: 'the database is starting, stopping, or has ended its connections',
    remedy: 'see that PostgreSQL runs, and why it restarted',
    isGeneral: true,
  },
  {
    name: 'database_certificate',
    code: TLS,
    text: "the database's certificate isn't accepted",
    remedy: 'renew it, or name the file of its signer in sslrootcert of DATABASE_URL',
    isGeneral: true,
  },
  {
    name: 'database_unreachable',
    code: /^(?:08|E[A-Z_]+$)/,
    text: "the database can't be reached",
    remedy: 'see that PostgreSQL runs, and that its address and network are right',
    isGeneral: true,
  },
];

/** Causes outside of the database. */
const OTHERS: readonly Pick<Kind, 'name' | 'text' | 'remedy'>[] = [
  {
    name: 'timeout',
    text: 'a request took too long',
    remedy: "check the database's CPU, disk, and pg_stat_activity, and the CPU of the node",
  },
  {
    name: 'overload',
    text: 'a limit of requests at a time was reached',
    remedy: 'see which limit the log names; add a node, or find the client that sends so much',
  },
  {
    name: 'files_disk_full',
    text: 'the disk of files is full',
    remedy: 'make room on the disk of DATA_DIR, or lower FILES_MIN_FREE',
  },
  {
    name: 'files_store',
    text: 'the store of files fails, or is the store of another database',
    remedy: 'see that the store of FILES_URL answers, or that DATA_DIR can be written; parley doctor tries it',
  },
  {
    name: 'files_missing',
    text: 'the store has lost the bytes of a file',
    remedy: 'run parley files check, which names the files, and restore them from the backup of the store',
  },
  {
    name: 'files_scanner',
    text: 'the scanner of files gives no verdict',
    remedy: 'see that the scanner of FILE_SCAN_URL runs; parley doctor tries it',
  },
  {
    name: 'defect',
    text: 'Parley did not expect an error',
    remedy: 'report it, with the line "request failed" of the log, whose requestId the answer has too',
  },
];

/** The names of all causes. */
export const CAUSE_NAMES: readonly string[] = [...KINDS, ...OTHERS].map(({ name }) => name);

const OTHER_CODES = new Set([STANDBY_SILENT, OUTCOME_UNKNOWN]);
const MAX_MESSAGE = 300;
const NO_FREE_CONNECTION = /^timeout exceeded when trying to connect/;
const SILENT = /^Query read timeout/;
const READ_ONLY = /accepts no writes/;

/** Why a request or a task failed, if no client caused it; null for every other error. */
export function causeOf(error: unknown): Cause | null {
  if (error instanceof Problem) return error.reason ?? null;
  if (error instanceof TimeoutError) return { name: 'database_slow', message: error.message };
  const code = databaseCode(error);
  const name = code === undefined ? nameOfLost(error) : nameOfCode(code, error);
  return name === null ? null : { name, code, message: messageOf(error, code) };
}

/** The cause of an error that Parley doesn't expect. Its line in the log has the error itself. */
export function causeOfDefect(error: unknown): Cause {
  const code = databaseCode(error) ?? (error instanceof Error ? error.name : undefined);
  return { name: 'defect', code, message: describeError(toError(error)).message.slice(0, MAX_MESSAGE) };
}

/** Every cause, with what's wrong and what an operator does about it. */
export const CAUSES = [...KINDS, ...OTHERS].map(({ name, text, remedy }) => ({ name, text, remedy }));

/** What's wrong, without names of the installation. */
export function textOf({ name }: Pick<Cause, 'name'>): string {
  return CAUSES.find((cause) => cause.name === name)?.text ?? name;
}

/** What an operator does about it. */
export function remedyOf({ name }: Pick<Cause, 'name'>): string {
  return CAUSES.find((cause) => cause.name === name)?.remedy ?? '';
}

/** Whether a cause is the database's, or may be: a request that timed out. A conflict and a silent standby are known already. */
export function isOfDatabase({ name }: Pick<Cause, 'name'>): boolean {
  if (name === 'timeout') return true;
  return name.startsWith('database_') && name !== 'database_conflict' && name !== 'database_standby';
}

/** Whether the database as a whole fails, and not only what one lock or one statement holds up. */
export function isGeneral({ name }: Pick<Cause, 'name'>): boolean {
  return KINDS.find((kind) => kind.name === name)?.isGeneral ?? false;
}

function nameOfCode(code: string, error: unknown): string | null {
  if (!isUnavailable(error) && !isTransient(error) && !OTHER_CODES.has(code)) return null;
  const { reasons = [], message } = error as { reasons?: unknown[]; message: string };
  // Every host of DATABASE_URL was tried: they mostly have the same reason.
  if (reasons.length > 0) return causeOf(reasons[0])?.name ?? 'database_unreachable';
  if (code === '08001' && READ_ONLY.test(message)) return 'database_read_only';
  return KINDS.find((kind) => kind.code?.test(code))?.name ?? null;
}

function nameOfLost(error: unknown): string | null {
  if (!isUnavailable(error)) return null;
  const { message } = error as Error;
  if (READ_ONLY.test(message)) return 'database_read_only';
  return NO_FREE_CONNECTION.test(message) || SILENT.test(message) ? 'database_slow' : 'database_unreachable';
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function messageOf(error: unknown, code?: string): string {
  const { message, errors } = error as AggregateError;
  const text = message || (errors?.[0] as Error | undefined)?.message || code || 'no answer';
  return text.slice(0, MAX_MESSAGE);
}
