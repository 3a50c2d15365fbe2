import { invalid, Problem, unavailable } from '../errors/problem.js';
import { OUTCOME_UNKNOWN } from './replication.js';
import { STANDBY_SILENT } from './standby.js';

// The coordinator of a Citus cluster forwards the message of a worker's error, and not always its code. A shard's constraint has the
// shard's number after its name.
const FROM_WORKER = 'XX000';
const VIOLATION = / violates (unique|foreign key) constraint "(\w{1,63}?)(?:_\d{6,})?"$/;
// The connection from the coordinator to the worker was lost, maybe while the worker committed.
const LOST_WORKER =
  /^(?:could not commit transaction for shard|failure on connection marked as essential|postmaster was shut down|Query could not find the intermediate result|server closed the connection|SSL |could not (?:receive|send) data|no connection to the server|connection not open|invalid socket)/;
const CODES_OF_KINDS: Record<string, string> = { unique: '23505', 'foreign key': '23503' };

// Also of a process without file descriptors or ports.
const NETWORK =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|E(?:HOST|NET)(?:UNREACH|DOWN)|EADDRNOTAVAIL|E[MN]FILE)$/;
/** The certificate of the database expired, or was replaced by one that isn't trusted. */
export const TLS = /^(?:CERT_|ERR_(?:TLS|SSL|OSSL)_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO)/;
// Messages of node-postgres and TypeORM without a code: the connection was lost, was lost before its first statement,
// or none became free in time.
const LOST =
  /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Client was closed|Query read timeout|The server does not support SSL connections|Query runner already released|Database connection provided by a query runner was already released)/;
// Classes 08 (connection), 28 and 3D (role or database name rejected: it changed after the start), 53 (resources), 57
// (operator intervention, statement timeout) and 58 (system), transactions that took too long, a missing right, and damaged files.
const UNAVAILABLE = /^(?:08|28|3D|53|57|58|25P0[34]|42501|XX00[12])/;
// One table may lack a right or be damaged while statements about others work.
const OF_ONE_TABLE = new Set(['42501', 'XX001', 'XX002']);
// A server with a full disk ends new connections with this message, and the code of an internal error.
const DISK_FULL = '53100';
const NO_INIT_FILE = /could not write init file/;
// Serialization failure, deadlock, lock not available, read-only: a retry of the same request may succeed.
const READ_ONLY = '25006';
const TRANSIENT = new Set(['40001', '40P01', '55P03', READ_ONLY]);
// A statement or transaction that took too long: a row may have been locked all that time.
const TOO_LONG = new Set(['57014', '25P03', '25P04']);
// Bytes that are invalid in text, and values over a limit: client errors.
const UNSTORABLE = new Set(['22021', '22P05', '54000', '54001']);

export const SILENT = "The database's synchronous standby isn't answering";
/** When a client may retry a request that was rejected for it. */
const SILENT_RETRY_SECONDS = 5;

/** The SQLSTATE or system code of a database error, through TypeORM's wrapper. */
export function databaseCode(error: unknown): string | undefined {
  const { code, driverError } = (error ?? {}) as { code?: unknown; driverError?: { code?: unknown } };
  const found = driverError?.code ?? code;
  if (found === FROM_WORKER) return codeFromWorker((error as Error).message);
  return typeof found === 'string' ? found : undefined;
}

function codeFromWorker(message: string): string {
  if (NO_INIT_FILE.test(message)) return DISK_FULL;
  if (LOST_WORKER.test(message)) return OUTCOME_UNKNOWN;
  return CODES_OF_KINDS[VIOLATION.exec(message)?.[1] ?? ''] ?? FROM_WORKER;
}

/** Whether retrying the transaction may succeed: after a deadlock, a serialization failure or a busy lock. */
export function isTransient(error: unknown): boolean {
  return TRANSIENT.has(databaseCode(error) ?? '');
}

/**
 * Whether the database as a whole was unavailable, so that any statement would have failed. False when one statement or
 * transaction took too long.
 */
export function isDatabaseAway(error: unknown): boolean {
  const code = databaseCode(error);
  if (code === OUTCOME_UNKNOWN || code === STANDBY_SILENT || code === READ_ONLY) return true;
  return isUnavailable(error) && !TOO_LONG.has(code ?? '') && !OF_ONE_TABLE.has(code ?? '');
}

/** Whether a retry of the same request may succeed once an operator, or time, has repaired the database. */
export function isUnavailable(error: unknown): boolean {
  const code = databaseCode(error);
  if (code === undefined) return error instanceof Error && LOST.test(error.message);
  return NETWORK.test(code) || TLS.test(code) || UNAVAILABLE.test(code);
}

/** The name of the constraint that a database error reports. */
export function violatedConstraint(error: unknown): string | undefined {
  const { constraint, driverError } = (error ?? {}) as { constraint?: string; driverError?: { constraint?: string } };
  return driverError?.constraint ?? constraint ?? VIOLATION.exec((error as Error | undefined)?.message ?? '')?.[2];
}

/** Whether the database rejects the role, doesn't have the name, or refuses a right: waiting for it at startup is pointless. */
export function refusesForGood(error: unknown): boolean {
  return /^(?:28|3D|42501)/.test(databaseCode(error) ?? '');
}

/** Converts a database error to the client's problem; null for every other error. */
export function toDatabaseProblem(error: unknown): Problem | null {
  const code = databaseCode(error);
  if (code === OUTCOME_UNKNOWN)
    return unavailable('The change may or may not have been stored; retry the same request');
  if (code === STANDBY_SILENT) return unavailable(`${SILENT}, so nothing was stored; retry`, SILENT_RETRY_SECONDS);
  if (isUnavailable(error)) return unavailable('The database is unavailable; retry');
  if (code === undefined) return null;
  if (isTransient(error)) return unavailable('Conflicting concurrent update; retry the request');
  if (UNSTORABLE.has(code)) return invalid('', 'must not contain characters or values that the database cannot store');
  if (code === '23505') return new Problem('conflict', 'Another resource already has one of these unique values');
  if (code === '23503')
    return new Problem('not_found', 'A resource that this request refers to was deleted while the request was running');
  return null;
}
