import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of PostgreSQL's programs: PG_BIN, or the newest of Debian's. */
export function findBinaries() {
  if (process.env.PG_BIN) return process.env.PG_BIN;
  const folder = '/usr/lib/postgresql';
  const versions = existsSync(folder) ? readdirSync(folder).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => join(folder, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
  if (!found) throw new Error('PG_BIN must name the folder of initdb, pg_ctl, pg_dump and pg_restore');
  return found;
}

/** The account that PostgreSQL runs as, because it refuses to run as root. Empty for this process's own. */
export function findAccount() {
  return process.getuid() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
}

function idOf(option) {
  return Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
}
