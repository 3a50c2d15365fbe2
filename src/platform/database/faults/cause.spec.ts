import { describe, expect, it } from '@jest/globals';
import { toDatabaseProblem } from '../database-problem.js';
import { NoWriterError } from '../hosts.js';
import { CAUSE_NAMES, causeOf } from './cause.js';

const error = (code: string | undefined, message = 'said so') => Object.assign(new Error(message), { code });

describe('the cause of a failed request', () => {
  it.each([
    ['53100', 'database_disk_full'],
    ['53200', 'database_memory'],
    ['53300', 'database_connections'],
    ['53400', 'database_resources'],
    ['57P01', 'database_stopped'],
    ['57P03', 'database_stopped'],
    ['57014', 'database_slow'],
    ['25P03', 'database_slow'],
    ['58030', 'database_io'],
    ['58P01', 'database_io'],
    ['55P03', 'database_lock'],
    ['42501', 'database_right'],
    ['XX001', 'database_corrupt'],
    ['XX002', 'database_corrupt'],
    ['25006', 'database_read_only'],
    ['28P01', 'database_rejects'],
    ['3D000', 'database_rejects'],
    ['40P01', 'database_conflict'],
    ['08006', 'database_unreachable'],
    ['ECONNREFUSED', 'database_unreachable'],
    ['ENETUNREACH', 'database_unreachable'],
    ['EMFILE', 'database_unreachable'],
    ['CERT_HAS_EXPIRED', 'database_certificate'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'database_certificate'],
  ])('%s is %s, and a 503', (code, name) => {
    expect(causeOf(error(code))).toEqual({ name, code, message: 'said so' });
    expect(CAUSE_NAMES).toContain(name);
    expect(toDatabaseProblem(error(code))?.code).toBe('unavailable');
  });

  it.each([
    ['FATAL of a server with a full disk', error('XX000', 'could not write init file'), 'database_disk_full'],
    ['a lost connection', error(undefined, 'Connection terminated unexpectedly'), 'database_unreachable'],
    [
      'a dropped connection',
      error(undefined, 'Connection terminated: the database accepts no writes'),
      'database_read_only',
    ],
    ['a silent database', error(undefined, 'Query read timeout'), 'database_slow'],
    ['a pool without a free connection', error(undefined, 'timeout exceeded when trying to connect'), 'database_slow'],
    ['a host that is a standby', new NoWriterError("it accepts no writes: it's a standby"), 'database_read_only'],
    ['several hosts', new NoWriterError('none', [error('28P01'), error('ECONNREFUSED')]), 'database_rejects'],
  ])('%s', (_what, given, name) => {
    expect(causeOf(given)).toMatchObject({ name });
    expect(toDatabaseProblem(given)?.code).toBe('unavailable');
  });

  it.each(['23505', '23503', '22021', '42P01', 'XX000', 'ENOENT', 'ERR_STREAM_PREMATURE_CLOSE'])(
    "%s isn't a fault of the installation",
    (code) => expect(causeOf(error(code))).toBeNull(),
  );
});
