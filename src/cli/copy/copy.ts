import { addressOf } from '../../platform/config/database-url.js';
import { findEmbeddedPostgres } from '../../platform/database/embedded-postgres.js';
import { CliError, EXIT, usage } from '../errors.js';
import { checkId } from '../organization.js';
import { findSecretKeys } from '../secrets/keys.js';
import { reasonOf } from '../service.js';
import { out } from '../show.js';
import { renderTable } from '../table.js';
import { toJson } from '../text.js';
import { CopiedSecrets } from './copied-secrets.js';
import { OrganizationCopy, type Copied } from './organization-copy.js';
import { openSource, openTarget } from './two-databases.js';

/**
 * Copies one organization from another database, such as a restored backup, into the database of the service: everything or nothing.
 * Reads one moment of the other database, and changes nothing there.
 * @throws CliError if the organization exists, or the databases or their keys don't fit together
 */
export async function copyOrganization(
  environment: NodeJS.ProcessEnv,
  id: string,
  options: { from: string; json?: boolean },
): Promise<void> {
  checkId(id);
  const url = environment.DATABASE_URL || (await findEmbeddedPostgres(environment.DATA_DIR || './data'));
  if (!url) throw usage('set DATABASE_URL to the database of the service, or DATA_DIR if it has its own PostgreSQL');
  const keys = findSecretKeys(environment);
  if (!keys) throw usage('set SECRET_KEY to the key of the service');
  const secrets = new CopiedSecrets(keys, environment.FROM_SECRET_KEY || undefined);
  const open: { end(): Promise<void> }[] = [];
  try {
    const target = await openTarget(url, secrets);
    open.push(target);
    const source = await openSource(options.from, secrets);
    open.push(source);
    const copied = await new OrganizationCopy(source, target, secrets).run(id, addressOf(options.from));
    out(options.json ? toJson(copied) : linesOf(copied).join('\n'));
  } catch (error) {
    throw error instanceof CliError
      ? error
      : new CliError(EXIT.failed, `nothing was copied: PostgreSQL said: ${reasonOf(error)}`);
  } finally {
    await Promise.all(open.map((client) => client.end().catch(() => undefined)));
  }
}

function linesOf({ organization, from, rows, secrets }: Copied): string[] {
  const tables = Object.entries(rows).filter(([, count]) => count > 0);
  const columns = [
    { title: 'table', of: ([table]: [string, number]) => table },
    { title: 'rows', of: ([, count]: [string, number]) => String(count) },
  ];
  return [
    `copied organization ${organization.id} (${organization.name}) from ${from}; each number was compared with the original's`,
    ...renderTable(columns, tables, Infinity),
    ...(secrets.resealed > 0 ? [`${secrets.resealed} secrets were encrypted with SECRET_KEY`] : []),
    ...(secrets.unreadable > 0 ? [`${secrets.unreadable} secrets can't be read: set or rotate them`] : []),
    'agents sign in again; then see docs/operate/backup.md#what-a-restore-takes-back',
  ];
}
