import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findAccount, findBinaries } from '../../support/debian-postgres.mjs';
import { freePort } from '../../support/ports.mjs';

/** A PostgreSQL with its own pg_dump and pg_restore: Debian's, or the one in the folder PG_BIN. */
export default async function setUp() {
  const bin = findBinaries();
  const directory = mkdtempSync(join(tmpdir(), 'parley-backup-'));
  const account = findAccount();
  if (account.uid !== undefined) chownSync(directory, account.uid, account.gid);
  const run = (program, ...parts) => execFileSync(join(bin, program), parts, { ...account, cwd: '/', stdio: 'ignore' });
  const data = join(directory, 'data');
  const port = await freePort();
  run('initdb', '-D', data, '--username=parley', '--auth=trust', '--encoding=UTF8', '--locale=C');
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`;
  run('pg_ctl', 'start', '-D', data, '-w', '-l', join(directory, 'log'), '-o', options);
  process.env.PG_BIN = bin;
  process.env.TEST_DATABASE_URL = `postgres://parley@127.0.0.1:${port}/postgres`;
  globalThis.backupPostgres = { directory, stop: () => run('pg_ctl', 'stop', '-D', data, '-w', '-m', 'fast') };
}
