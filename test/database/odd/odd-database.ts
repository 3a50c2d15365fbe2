import { randomBytes } from 'node:crypto';
import { MainPath } from '../../../src/api/public/health/main-path.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { queryOnce } from '../../support/database.js';
import { Parley } from '../../support/parley.js';
import { useEverything } from './use-everything.js';

/** A database that isn't as Parley's own, and what Parley makes of it. In SQL, `$db` and `$role` stand for its names. */
export interface OddDatabase {
  name: string;
  /** Options of CREATE DATABASE. */
  options?: string;
  /** Statements of a superuser in the new database, of one connection. */
  sql?: string;
  /** Statements of a superuser once Parley has migrated it. */
  afterwards?: string;
  /** Changes DATABASE_URL. */
  url?: (url: string) => string;
  /** Whether Parley does everything right, or the line of what's wrong and how to correct it. */
  expect: 'works' | RegExp;
  /** A query that has rows if the server can have such a database. */
  needs?: string;
}

/** A service's DATABASE_POOL_SIZE in these tests. */
const POOL_SIZE = 20;

/** Starts Parley on such a database, and uses everything. @returns 'works', or the line that it refuses to start with */
export async function tryDatabase(odd: OddDatabase): Promise<string> {
  const server = process.env.TEST_DATABASE_URL!;
  const [role, db] = ['role', 'db'].map((kind) => `odd_${kind}_${randomBytes(6).toString('hex')}`) as [string, string];
  const fill = (text: string) => text.replaceAll('$db', db).replaceAll('$role', role);
  const at = (name: string) => Object.assign(new URL(server), { pathname: `/${encodeURIComponent(name)}` }).href;
  const own = Object.assign(new URL(at(db)), { username: role, password: 'secret' }).href;
  await queryOnce(server, `CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
  await queryOnce(server, `CREATE DATABASE ${db} OWNER ${role} ${odd.options ?? ''}`);
  try {
    if (odd.sql) await queryOnce(at(db), fill(odd.sql));
    if (odd.afterwards) {
      await migrate(own, { poolSize: POOL_SIZE });
      await queryOnce(at(db), fill(odd.afterwards));
    }
    const url = odd.url?.(own) ?? own;
    return await start(url).catch((error: Error) => error.message.replaceAll(role, '$role').replaceAll(db, '$db'));
  } finally {
    await queryOnce(at(db), `REASSIGN OWNED BY ${role} TO CURRENT_USER; DROP OWNED BY ${role}`);
    await queryOnce(server, `DROP DATABASE ${db} WITH (FORCE)`);
    await queryOnce(server, `DROP ROLE ${role}`);
  }
}

async function start(url: string): Promise<string> {
  await migrate(url, { poolSize: POOL_SIZE });
  const parley = await Parley.start({ DATABASE_POOL_SIZE: String(POOL_SIZE) }, url);
  try {
    await parley.app.get(MainPath).prove();
    await useEverything(parley);
    return 'works';
  } finally {
    await parley.stop();
  }
}

export async function hasServer({ needs }: OddDatabase): Promise<boolean> {
  return needs === undefined || (await queryOnce(process.env.TEST_DATABASE_URL!, needs)).length > 0;
}
