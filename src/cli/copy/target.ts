import pg from 'pg';
import { findEmbeddedPostgres } from '../../platform/database/embedded-postgres.js';
import { CliError, EXIT, usage } from '../errors.js';
import { findSecretKeys } from '../secrets/keys.js';
import { reasonOf } from '../service.js';
import { renderTable } from '../table.js';
import { CopiedSecrets } from './copied-secrets.js';
import type { Copied } from './organization-copy.js';
import { openTarget } from './two-databases.js';

/** The address of the service's database. @throws CliError without one */
export async function findDatabase(environment: NodeJS.ProcessEnv): Promise<string> {
  const url = environment.DATABASE_URL || (await findEmbeddedPostgres(environment.DATA_DIR || './data'));
  if (url) return url;
  throw usage('set DATABASE_URL to the database of the service, or DATA_DIR if it has its own PostgreSQL');
}

/** Runs `work`, then closes the connections that it has put into its list. @param failed the beginning of the error, such as `nothing was copied` @throws CliError */
export async function closing<T>(failed: string, work: (open: { end(): Promise<void> }[]) => Promise<T>): Promise<T> {
  const open: { end(): Promise<void> }[] = [];
  try {
    return await work(open);
  } catch (error) {
    if (error instanceof CliError) throw error;
    const who = error instanceof pg.DatabaseError ? 'PostgreSQL said: ' : '';
    throw new CliError(EXIT.failed, `${failed}: ${who}${reasonOf(error)}`);
  } finally {
    await Promise.all(open.map((client) => client.end().catch(() => undefined)));
  }
}

/** Connects to the service's database, with the keys that copied secrets need. @throws CliError */
export async function openOwn(environment: NodeJS.ProcessEnv): Promise<{ target: pg.Client; secrets: CopiedSecrets }> {
  const url = await findDatabase(environment);
  const keys = findSecretKeys(environment);
  if (!keys) throw usage('set SECRET_KEY to the key of the service');
  const secrets = new CopiedSecrets(keys, environment.FROM_SECRET_KEY || undefined);
  return { target: await openTarget(url, secrets), secrets };
}

/** What was copied, for people. @param verb such as `copied` */
export function linesOf({ organization, from, rows, secrets }: Copied, verb: string): string[] {
  const tables = Object.entries(rows).filter(([, count]) => count > 0);
  const columns = [
    { title: 'table', of: ([table]: [string, number]) => table },
    { title: 'rows', of: ([, count]: [string, number]) => String(count) },
  ];
  return [
    `${verb} organization ${organization.id} (${organization.name}) from ${from}; each number was compared with the original's`,
    ...renderTable(columns, tables, Infinity),
    ...(secrets.resealed > 0 ? [`${secrets.resealed} secrets were encrypted with SECRET_KEY`] : []),
    ...(secrets.unreadable > 0 ? [`${secrets.unreadable} secrets can't be read: set or rotate them`] : []),
    'agents sign in again; then see docs/operate/backup.md#what-a-restore-takes-back',
  ];
}
